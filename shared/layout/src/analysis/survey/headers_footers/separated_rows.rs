//! Whether rows at the edge of a page are separated from the adjacent rows.

use crate::analysis::lines::line::Line;

/// Number of following line pitches that determine the usual one.
const NEXT: usize = 8;
/// Minimum ratio of a separating distance to the usual one.
const LARGER: f32 = 1.2;
/// Maximum usual pitch, as a fraction of the font size; sparser text has no usual pitch.
const SPARSE: f32 = 3.0;
/// Default pitch, as a fraction of the font size.
const USUAL: f32 = 1.3;
/// Maximum relative difference of font sizes of one text.
const SIZES: f32 = 0.08;

/// Returns for each of the first `count` rows, from the edge, whether it is separated from the next row.
pub(super) fn separated_rows(rows: &[&Vec<Line>], count: usize) -> Vec<bool> {
    let steps: Vec<Option<f32>> = rows
        .windows(2)
        .take(count + NEXT)
        .map(|pair| match pair {
            [one, other] => Some((other.first()?.baseline - one.first()?.baseline).abs()),
            _ => None,
        })
        .collect();
    let is_apart = |(at, row): (usize, &&Vec<Line>)| {
        let (Some(step), Some(line)) = (steps.get(at).copied().flatten(), row.first()) else {
            return true;
        };
        let after = steps.get(at + 1..).unwrap_or_default();
        let next = rows.get(at + 1).and_then(|next| next.first());
        let is_other = next.is_some_and(|next| is_of_other_size(line, next));
        is_other || step > usual(after, line.size) * LARGER
    };
    rows.iter().enumerate().take(count).map(is_apart).collect()
}

/// Returns the median of the next pitches.
fn usual(steps: &[Option<f32>], size: f32) -> f32 {
    let mut steps: Vec<f32> = steps.iter().take(NEXT).copied().flatten().collect();
    steps.sort_by(f32::total_cmp);
    let middle = steps.get(steps.len() / 2).copied();
    middle.unwrap_or(size * USUAL).min(size * SPARSE)
}

fn is_of_other_size(one: &Line, other: &Line) -> bool {
    (one.size - other.size).abs() > one.size.max(other.size) * SIZES
}
