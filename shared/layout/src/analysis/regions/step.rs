//! Whether text continues from one line of a column to the next.

use crate::analysis::lines::line::Line;

/// Maximum line pitch of running text, as a fraction of the font size.
const STEP: f32 = 2.6;
/// Minimum length of a full line, as a fraction of the font size, if no capital letters show where it continues.
const WIDE: f32 = 9.0;

/// Two consecutive lines of a column, which reaches from `start` to `end`.
pub(in crate::analysis) struct Step<'a> {
    pub(in crate::analysis) above: &'a Line,
    pub(in crate::analysis) line: &'a Line,
    pub(in crate::analysis) start: f32,
    pub(in crate::analysis) end: f32,
}

impl Step<'_> {
    /// Whether the lower line continues a sentence that did not fit in the upper line.
    pub(in crate::analysis) fn goes_on(&self) -> bool {
        self.is_near() && !self.had_room() && !self.is_ended() && self.is_rest()
    }

    /// Whether the lower line certainly begins something new.
    pub(in crate::analysis) fn begins(&self) -> bool {
        self.is_near() && self.had_room()
    }

    fn is_near(&self) -> bool {
        let apart = self.line.baseline - self.above.baseline;
        let unlike = (self.line.size - self.above.size).abs();
        apart < self.above.size * STEP && unlike < self.above.size * 0.05
    }

    fn had_room(&self) -> bool {
        let from_right = self.line.is_from_right();
        let word = match from_right {
            false => self.line.pieces.first(),
            true => self.line.pieces.last(),
        };
        let needed = first_word(word) + self.above.size * 0.3;
        let neighbors = match from_right {
            false => self.end - self.above.bounds.right,
            true => self.above.bounds.left - self.start,
        };
        // Centered text has space on both sides.
        neighbors.min(self.end - self.start - self.above.bounds.width()) > needed
    }

    fn is_ended(&self) -> bool {
        let last = self.above.glyphs().last().map(|glyph| glyph.text);
        last.is_some_and(crate::analysis::lines::write::ends_sentence)
    }

    /// Whether it begins like the continuation of a sentence, as far as its script shows it.
    fn is_rest(&self) -> bool {
        let first = self.texts().next();
        first.is_some_and(|first| {
            first.is_lowercase()
                || first.is_alphabetic()
                    && !first.is_uppercase()
                    && self.above.bounds.width() > self.above.size * WIDE
        })
    }

    fn texts(&self) -> impl Iterator<Item = char> {
        self.line.glyphs().map(|glyph| glyph.text)
    }
}

/// Returns the width of the first word from this piece on; a line of ideographs can break after any of them.
fn first_word(piece: Option<&crate::analysis::glyphs::piece::Piece>) -> f32 {
    let Some(piece) = piece else { return 0.0 };
    let first = piece.glyphs.first();
    match first.filter(|first| crate::analysis::lines::write::is_ideographic(first.text)) {
        Some(first) => first.bounds.width(),
        None => piece.bounds.width(),
    }
}
