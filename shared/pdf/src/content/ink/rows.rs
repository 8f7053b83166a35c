//! Groups letters into rows.

use layout::Rect;

/// Returns the letters by row, from left to right. The bottoms of a row differ by at most `max_offset`, and the gap before a
/// letter is at most `max_gap` of it.
pub(super) fn rows<T: Copy>(
    mut letters: Vec<T>,
    bounds: impl Fn(&T) -> Rect,
    max_offset: f32,
    max_gap: impl Fn(&T) -> f32,
) -> Vec<Vec<T>> {
    letters.sort_by(|one, other| bounds(one).bottom.total_cmp(&bounds(other).bottom));
    let mut rows: Vec<Vec<T>> = Vec::new();
    let mut rest = letters.as_slice();
    while let Some(first) = rest.first() {
        let end = bounds(first).bottom + max_offset;
        let count = rest.partition_point(|one| bounds(one).bottom <= end);
        let (line, next) = rest.split_at(count.max(1));
        rest = next;
        let mut line = line.to_vec();
        line.sort_by(|one, other| bounds(one).left.total_cmp(&bounds(other).left));
        let mut right = f32::NEG_INFINITY;
        for letter in line {
            let is_near = bounds(&letter).left - right <= max_gap(&letter);
            match rows.last_mut().filter(|_| is_near) {
                Some(row) => row.push(letter),
                None => rows.push(vec![letter]),
            }
            right = right.max(bounds(&letter).right);
        }
    }
    rows
}
