//! Whether rows at the edges of pages are set apart from the rows next to them.

use crate::analysis::line::Line;

/// How many of the next distances tell what is usual.
const NEXT: usize = 8;
/// How much larger than the usual one the distance of what is set apart is, in parts of it.
const LARGER: f32 = 1.2;
/// Up to how much of the size a usual distance is that of one text: what is sparser has no usual one.
const SPARSE: f32 = 3.0;
/// The usual distance where nothing tells it, in parts of the size.
const USUAL: f32 = 1.3;
/// How much the sizes of one text differ at most, in parts of them.
const SIZES: f32 = 0.08;

/// Whether each of the first rows, from the edge of a page on, is set apart from the one that follows it.
pub(super) fn apart(rows: &[&Vec<Line>], count: usize) -> Vec<bool> {
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

/// The distance that is most usual among the next ones.
fn usual(steps: &[Option<f32>], size: f32) -> f32 {
    let mut steps: Vec<f32> = steps.iter().take(NEXT).copied().flatten().collect();
    steps.sort_by(f32::total_cmp);
    let middle = steps.get(steps.len() / 2).copied();
    middle.unwrap_or(size * USUAL).min(size * SPARSE)
}

fn is_of_other_size(one: &Line, other: &Line) -> bool {
    (one.size - other.size).abs() > one.size.max(other.size) * SIZES
}
