//! Lines of their own: rules of repeated characters, columns separated by spaces, entries with leader dots.

use crate::analysis::lines::line::Line;
use crate::analysis::regions::contents;
use crate::model::leaders::{DOTS_BEFORE_NUMBER, is_leader};

/// Characters of rules, and minimum length of a rule.
const RULING: &str = "-=_*~#–—─═";
const SIGNS: usize = 5;
/// Minimum gap between columns, as a multiple of the character width.
const GAP: f32 = 2.5;

/// Whether a line is a rule, has columns or ends with leader dots and a page number.
pub(in crate::analysis) fn is_set_out(line: &Line) -> bool {
    is_rule(line) || has_columns(line) || has_leader(line)
}

/// Whether it has leader dots, before a page number if it has one.
pub(in crate::analysis) fn has_leader(line: &Line) -> bool {
    let texts: Vec<char> = line.glyphs().map(|glyph| glyph.text).collect();
    texts.chunk_by(|one, other| one == other).any(|same| {
        same.len() >= DOTS_BEFORE_NUMBER && same.first().copied().is_some_and(is_leader)
    })
}

/// Whether it has leader dots before a page number at its end.
pub(in crate::analysis) fn is_entry(line: &Line) -> bool {
    let text: String = line.glyphs().map(|glyph| glyph.text).collect();
    let number = text.rsplit(is_leader).next();
    has_leader(line) && number.is_some_and(|number| contents::page_number(number.trim()).is_some())
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
