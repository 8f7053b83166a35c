//! Inserts spaces between words that are drawn as separate text objects.

use layout::{Character, Rect};

/// Minimum gap between words, relative to the font size. Kerned letters have smaller gaps.
const MIN_GAP: f32 = 0.12;
/// Maximum vertical offset of letters on one line, relative to the font size.
const MAX_OFFSET: f32 = 0.3;

/// Returns the space between two consecutive characters of a horizontal line, if the gap is wide enough.
pub(super) fn space(before: Option<&Character>, after: &Character) -> Option<Character> {
    let before = before?;
    let size = before.size.min(after.size);
    let (left, right) = (before.bounds.right, after.bounds.left);
    let is_level = (before.baseline - after.baseline).abs() <= size * MAX_OFFSET;
    let is_upright = before.angle == after.angle && after.angle < f32::EPSILON;
    let is_apart = is_level && is_upright && right - left >= size * MIN_GAP;
    let either = before.text.is_whitespace() || after.text.is_whitespace();
    // With different tags, the space would become part of the content of one element.
    let is_one = before.tag == after.tag;
    (is_apart && is_one && !either).then(|| Character {
        text: ' ',
        bounds: Rect::between((left, before.bounds.top), (right, before.bounds.bottom)),
        start: left,
        advance: 0.0,
        ..before.clone()
    })
}
