//! The order of the lines of a page, where it is certain: if they are in one column, from top to bottom.

/// Where a line is, in points from the bottom left corner of the page as it is displayed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Extent {
    pub(super) left: f32,
    pub(super) right: f32,
    pub(super) baseline: f32,
    /// Size of its first letter.
    pub(super) size: f32,
}

impl Extent {
    /// The extent of a letter, without its width.
    pub(super) fn new((left, baseline): (f32, f32), size: f32) -> Self {
        Self {
            left,
            right: left,
            baseline,
            size,
        }
    }

    /// The extent with another letter.
    pub(super) fn with(self, x: f32) -> Self {
        Self {
            left: self.left.min(x),
            right: self.right.max(x),
            ..self
        }
    }
}

/// Minimum number of lines of a column.
const MIN_LINES: usize = 4;
/// Smaller lines than this share of the usual size may be notes or captions, which a result may have elsewhere.
const SMALL: f32 = 0.93;

/// Returns the indexes of the lines of a column from top to bottom; `None` if two lines are side by side, or there are few.
pub(super) fn single_column(lines: &[Option<Extent>]) -> Option<Vec<usize>> {
    let mut sizes: Vec<f32> = lines.iter().flatten().map(|line| line.size).collect();
    sizes.sort_by(f32::total_cmp);
    let usual = *sizes.get(sizes.len() / 2)?;
    let known = lines.iter().enumerate();
    let mut known: Vec<(usize, Extent)> = known
        .filter_map(|(index, line)| Some((index, (*line)?)))
        .collect();
    known.sort_by(|(_, one), (_, other)| other.baseline.total_cmp(&one.baseline));
    let neighbors = known.iter().zip(known.iter().skip(1));
    let is_column = neighbors.into_iter().all(|((_, upper), (_, lower))| {
        upper.left <= lower.right && lower.left <= upper.right && upper.baseline > lower.baseline
    });
    known.retain(|(_, line)| line.size >= usual * SMALL);
    let indexes = || known.iter().map(|(index, _)| *index).collect();
    (is_column && known.len() >= MIN_LINES).then(indexes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(left: f32, right: f32, baseline: f32, size: f32) -> Option<Extent> {
        Some(Extent {
            left,
            right,
            baseline,
            size,
        })
    }

    #[test]
    fn lines_of_one_column_run_from_top_to_bottom() {
        let mut lines = vec![
            line(72.0, 300.0, 600.0, 12.0),
            line(72.0, 500.0, 700.0, 18.0),
            None,
            line(72.0, 500.0, 586.0, 12.0),
            line(72.0, 120.0, 572.0, 12.0),
            // A note.
            line(72.0, 400.0, 100.0, 9.0),
        ];
        assert_eq!(single_column(&lines), Some(vec![1, 0, 3, 4]));
        assert_eq!(single_column(&lines[..2]), None);
        lines.push(line(320.0, 500.0, 593.0, 12.0));
        assert_eq!(single_column(&lines), None);
    }
}
