//! Detects table rows by line pitch: lines within a cell are closer than rows.

/// Maximum ratio of line pitches within cells.
const SAME: f32 = 1.09;
/// Minimum difference of row pitch and line pitch, in points and as a fraction of the line pitch, and maximum difference of
/// equal pitches in whole pixels.
const MORE: f32 = 0.6;
const PART: f32 = 0.025;
const PIXEL: f32 = 0.8;
/// Minimum number of rows that identify a column filled in all rows.
const ROWS: usize = 3;

/// The content of a table at one height.
#[derive(Clone, Debug, Default)]
pub(in crate::analysis) struct Text {
    /// Baseline.
    pub(in crate::analysis) place: f32,
    pub(in crate::analysis) size: f32,
    pub(in crate::analysis) parts: Vec<Part>,
}

/// The part of a text in one column.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::analysis) struct Part {
    pub(in crate::analysis) column: usize,
    pub(in crate::analysis) left: f32,
    pub(in crate::analysis) right: f32,
    /// Width of the word that is read first.
    pub(in crate::analysis) first: f32,
    pub(in crate::analysis) words: usize,
    pub(in crate::analysis) has_letters: bool,
    pub(in crate::analysis) is_bold: bool,
    pub(in crate::analysis) from_right: bool,
}

/// Returns which texts begin a row, by the distances between consecutive texts; `None` if these are not conclusive.
pub(in crate::analysis) fn starts(texts: &[Text]) -> Option<Vec<bool>> {
    let size = texts.iter().map(|text| text.size).fold(0.0, f32::max);
    let steps = steps(texts);
    let limit = split(&steps, size)?;
    let next = steps.iter().filter(|step| **step > limit);
    let is_pixel = next.copied().fold(f32::INFINITY, f32::min) - limit < PIXEL;
    let widths = widths(texts);
    let mut starts = vec![true];
    let (mut first, mut agreed, mut against, mut roomy) = (0, 0_usize, 0_usize, 0_usize);
    for (index, step) in steps.iter().enumerate() {
        let row = texts.get(first..=index).unwrap_or_default();
        let is_near = *step <= limit;
        let next = texts.get(index + 1).filter(|_| is_near);
        // Rows of equal height differ by a pixel too, but they fill all columns.
        let is_whole = |text: &Text| {
            is_pixel
                && row
                    .first()
                    .is_some_and(|first| first.parts.len() <= text.parts.len())
        };
        let is_part = next.is_some_and(|text| is_part(row, text) && !is_whole(text));
        let had_room = next.is_some_and(|text| had_room(row, text, &widths));
        roomy += usize::from(is_part && had_room);
        agreed += usize::from(is_part);
        against += usize::from(is_near && !is_part);
        if !is_part {
            first = index + 1;
        }
        starts.push(!is_part);
    }
    let far = steps.iter().filter(|step| **step > limit).count();
    let is_full = || roomy * 3 <= agreed || have_keys(texts, &starts);
    let is_told = agreed > 0 && far > 0 && against * 4 <= agreed && is_full();
    is_told.then_some(starts)
}

/// Whether all rows fill the first column in reading order and continuation lines never do, so that these are wrapped although
/// they had space above.
fn have_keys(texts: &[Text], starts: &[bool]) -> bool {
    let parts = || texts.iter().flat_map(|text| &text.parts);
    let from_right = parts().filter(|part| part.from_right).count() * 2 > parts().count();
    let columns = parts().map(|part| part.column);
    let first = match from_right {
        false => columns.min(),
        true => columns.max(),
    };
    let has_key = |text: &Text| text.parts.iter().any(|part| Some(part.column) == first);
    let rows = || texts.iter().zip(starts);
    let begun = rows().filter(|(_, start)| **start).count();
    let keyed = rows().filter(|(text, start)| **start && has_key(text) && text.parts.len() > 1);
    begun >= ROWS
        && keyed.count() * 5 >= begun * 4
        && !rows().any(|(text, start)| !start && has_key(text))
}

/// Returns the maximum line pitch within cells, if there are two clusters of distances: within cells and between rows.
pub(in crate::analysis) fn split(steps: &[f32], size: f32) -> Option<f32> {
    let mut steps: Vec<f32> = steps
        .iter()
        .copied()
        .filter(|step| *step > size * 0.8)
        .collect();
    steps.sort_by(f32::total_cmp);
    let least = steps.first().copied()?;
    let pairs = steps.iter().zip(steps.iter().skip(1));
    let near = pairs.take_while(|(step, _)| **step <= least * SAME);
    let (limit, gap) = near
        .map(|(step, next)| (*step, next - step))
        .max_by(|(_, one), (_, other)| one.total_cmp(other))?;
    let is_split = gap >= MORE.max(least * PART) && gap > limit - least;
    is_split.then_some(limit + 0.05)
}

fn steps(texts: &[Text]) -> Vec<f32> {
    let pairs = texts.iter().zip(texts.iter().skip(1));
    pairs.map(|(one, other)| other.place - one.place).collect()
}

/// Returns the width of the widest part of each column.
fn widths(texts: &[Text]) -> Vec<f32> {
    let mut widths = Vec::new();
    for part in texts.iter().flat_map(|text| &text.parts) {
        if widths.len() <= part.column {
            widths.resize(part.column + 1, 0.0_f32);
        }
        if let Some(width) = widths.get_mut(part.column) {
            *width = width.max(part.right - part.left);
        }
    }
    widths
}

/// Whether a text may continue the row above it: each part continues a similar part above it.
fn is_part(row: &[Text], text: &Text) -> bool {
    text.parts.iter().all(|part| {
        above(row, part).is_some_and(|above| {
            let is_number = !part.has_letters && above.words == 1;
            !is_number && above.is_bold == part.is_bold
        })
    })
}

/// Returns the part above another one in its column.
fn above<'r>(row: &'r [Text], part: &Part) -> Option<&'r Part> {
    let mut parts = row.iter().rev().flat_map(|text| &text.parts);
    parts.find(|above| above.column == part.column)
}

/// Whether the first word of a part would certainly have fit above: other text of the column is that wide.
fn had_room(row: &[Text], text: &Text, widths: &[f32]) -> bool {
    text.parts.iter().any(|part| {
        let known = above(row, part).zip(widths.get(part.column));
        let needed = part.first + text.size * 0.25;
        known.is_some_and(|(above, width)| above.right - above.left + needed <= *width)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates texts at these positions with words of these widths in columns 100 points wide.
    fn texts(rows: &[(f32, &[(usize, f32)])]) -> Vec<Text> {
        let text = |(place, columns): &(f32, &[(usize, f32)])| Text {
            place: *place,
            size: 10.0,
            parts: columns
                .iter()
                .map(|(column, width)| {
                    #[expect(clippy::cast_precision_loss, reason = "there are few columns")]
                    let left = *column as f32 * 120.0;
                    Part {
                        column: *column,
                        left,
                        right: left + width,
                        first: 20.0,
                        words: 3,
                        has_letters: true,
                        ..Part::default()
                    }
                })
                .collect(),
        };
        rows.iter().map(text).collect()
    }

    #[test]
    fn closer_lines_continue_the_row_above() {
        let both: &[(usize, f32)] = &[(0, 90.0), (1, 95.0)];
        let found = starts(&texts(&[
            (10.0, both),
            (32.6, both),
            (54.1, &[(1, 30.0)]),
            (76.7, both),
            (98.3, both),
        ]));
        assert_eq!(found, Some(vec![true, true, false, true, false]));
    }

    #[test]
    fn text_that_fits_above_or_begins_a_column_begins_a_row() {
        let full: &[(usize, f32)] = &[(0, 90.0), (1, 95.0)];
        let short: &[(usize, f32)] = &[(0, 40.0)];
        let near = |rest| starts(&texts(&[(0.0, full), (13.0, short), (25.0, rest)]));
        assert_eq!(near(short), None);
        assert_eq!(near(&[(1, 95.0)]), None);
    }

    #[test]
    fn rows_of_equal_height_may_differ_by_a_pixel() {
        let both: &[(usize, f32)] = &[(0, 90.0), (1, 95.0)];
        let places = [10.0, 29.5, 48.25, 67.75, 86.5];
        assert_eq!(starts(&texts(&places.map(|place| (place, both)))), None);
    }

    #[test]
    fn equal_distances_are_inconclusive() {
        let full: &[(usize, f32)] = &[(0, 90.0), (1, 95.0)];
        let places = [10.0, 22.0, 34.0, 46.3];
        assert_eq!(starts(&texts(&places.map(|place| (place, full)))), None);
        assert_eq!(starts(&texts(&[(10.0, full)])), None);
        assert_eq!(starts(&[]), None);
    }
}
