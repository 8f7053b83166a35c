//! Lines that are set out by the typewriter: rules of one sign, and columns that spaces part. Each is one for itself.

use super::line::Line;

/// What rules are made of, and the fewest signs of one.
const RULING: &str = "-=_*~#–—─═";
const SIGNS: usize = 5;
/// The gap that parts columns, in parts of the width of a character.
const GAP: f32 = 2.5;

/// Whether a line is a rule, or one of columns.
pub(super) fn is_set_out(line: &Line) -> bool {
    is_rule(line) || has_columns(line)
}

/// Whether it is one sign over and over.
fn is_rule(line: &Line) -> bool {
    let Some(first) = line.glyphs().next().map(|glyph| glyph.text) else {
        return false;
    };
    RULING.contains(first)
        && line.glyphs().all(|glyph| glyph.text == first)
        && line.glyphs().count() >= SIGNS
}

/// Whether characters of one width stand in it with gaps of several of these.
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
