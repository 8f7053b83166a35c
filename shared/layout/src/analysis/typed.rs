//! Typewriter-style lines: rules of repeated characters, and columns separated by spaces. Each is a line of its own.

use super::line::Line;

/// Characters of rules, and minimum length of a rule.
const RULING: &str = "-=_*~#–—─═";
const SIGNS: usize = 5;
/// Minimum gap between columns, as a multiple of the character width.
const GAP: f32 = 2.5;

/// Whether a line is a rule or has columns.
pub(super) fn is_set_out(line: &Line) -> bool {
    is_rule(line) || has_columns(line)
}

/// Whether it is one repeated character.
fn is_rule(line: &Line) -> bool {
    let Some(first) = line.glyphs().next().map(|glyph| glyph.text) else {
        return false;
    };
    RULING.contains(first)
        && line.glyphs().all(|glyph| glyph.text == first)
        && line.glyphs().count() >= SIGNS
}

/// Whether it is monospaced text with wide gaps.
fn has_columns(line: &Line) -> bool {
    let is_typed = line.glyphs().all(|glyph| glyph.font.is_monospaced);
    let width = line
        .glyphs()
        .next()
        .map_or(0.0, |glyph| glyph.bounds.width());
    let mut pairs = line.pieces.windows(2);
    is_typed
        && width > 0.0
        && pairs.any(|pair| match pair {
            [one, other] => other.bounds.left - one.bounds.right > width * GAP,
            _ => false,
        })
}
