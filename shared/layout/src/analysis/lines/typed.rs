//! Lines of their own: rules of repeated characters, columns separated by spaces, entries with leader dots.

use crate::analysis::glyphs::piece::Piece;
use crate::analysis::lines::line::Line;
use crate::model::leaders::{self, is_leader_character};

/// Characters of rules, and minimum length of a rule.
const RULING: &str = "-=_*~#–—─═";
const SIGNS: usize = 5;
/// Minimum gap between columns, as a multiple of the character width.
const GAP: f32 = 2.5;
/// Minimum number of equal characters of a leader.
const LEADER: usize = 4;

/// Whether a line is a rule, has columns or ends with leader dots and a page number.
pub(in crate::analysis) fn is_set_out(line: &Line) -> bool {
    is_rule(line) || has_columns(line) || has_leader(line)
}

/// Whether it has leader dots, before a page number if it has one.
pub(in crate::analysis) fn has_leader(line: &Line) -> bool {
    let texts: Vec<char> = line.glyphs().map(|glyph| glyph.text).collect();
    texts
        .chunk_by(|one, other| one == other)
        .any(|same| same.len() >= LEADER && same.first().copied().is_some_and(is_leader_character))
}

/// Whether its only leader dots are before a page number at its end.
pub(in crate::analysis) fn ends_with_leader_and_number(line: &Line) -> bool {
    let pieces: Vec<String> = line.pieces.iter().map(Piece::text).collect();
    let text = pieces.join(" ");
    leaders::of_entry(&text).is_some_and(|leader| leader.end < text.len())
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
