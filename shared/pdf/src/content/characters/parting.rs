//! Spaces between words that are drawn as pieces of text of their own.

use layout::{Character, Rect};

/// The least gap that a space leaves beside letters that are moved towards each other, in parts of the size.
const LEAST: f32 = 0.12;
/// How far letters of one line are apart in height at most, in parts of the size.
const LEVEL: f32 = 0.3;

/// The space between two characters that follow each other on an upright line, if there is room for one.
pub(super) fn space(before: Option<&Character>, after: &Character) -> Option<Character> {
    let before = before?;
    let size = before.size.min(after.size);
    let (left, right) = (before.bounds.right, after.bounds.left);
    let is_level = (before.baseline - after.baseline).abs() <= size * LEVEL;
    let is_upright = before.angle == after.angle && after.angle < f32::EPSILON;
    let is_apart = is_level && is_upright && right - left >= size * LEAST;
    let either = before.text.is_whitespace() || after.text.is_whitespace();
    // Between pieces that the document tells apart it would be part of what stands for one of them.
    let is_one = before.tag == after.tag;
    (is_apart && is_one && !either).then(|| Character {
        text: ' ',
        bounds: Rect::between((left, before.bounds.top), (right, before.bounds.bottom)),
        start: left,
        advance: 0.0,
        ..before.clone()
    })
}
