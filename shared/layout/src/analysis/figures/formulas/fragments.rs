//! Lines → fragments: what a part of a line consists of.

use super::signs::{is_function, is_math, is_tall};
use crate::analysis::glyphs::glyph::Glyph;
use crate::analysis::glyphs::piece::is_turned;
use crate::analysis::lines::line::Line;
use crate::model::geometry::Rect;

/// Maximum number of characters of a line that is examined for fraction bars and limits.
const LONGEST: usize = 400;
/// Ascent and descent of letters, as fractions of the font size.
const ASCENT: f32 = 0.75;
const DESCENT: f32 = 0.22;
/// Minimum number of letters of a word, and number of letters of a text without spaces that are as much as a word.
const WORD: usize = 3;
const UNSPACED: usize = 8;
/// Minimum number of words of prose, alone and if most characters are in words.
const PROSE: usize = 4;
const MOSTLY: usize = 2;

/// A part of a line of text.
#[derive(Clone, Debug)]
pub(super) struct Fragment {
    /// Bounds of its letters without leading, and of its tall signs.
    pub(super) bounds: Rect,
    pub(super) baseline: f32,
    pub(super) size: f32,
    /// Number of characters, of those of formulas, of those in words, of those of fixed width, and of tall ones.
    pub(super) characters: usize,
    pub(super) math: usize,
    pub(super) in_words: usize,
    pub(super) fixed: usize,
    pub(super) tall: usize,
    /// Number of words; names of functions are none.
    pub(super) words: usize,
    /// Whether it is a number in brackets, such as that of an equation.
    pub(super) is_number: bool,
    /// Left and right edges of its characters of full size; none of lines that are too long for a formula.
    pub(super) spans: Vec<(f32, f32)>,
    pub(super) is_turned: bool,
}

impl Fragment {
    /// Whether it is a line of a paragraph.
    pub(super) fn is_prose(&self) -> bool {
        self.words >= PROSE || self.words >= MOSTLY && self.in_words * 5 > self.characters * 3
    }

    /// Whether it is text and no formula.
    pub(super) fn is_text(&self) -> bool {
        self.words > 0 && (self.math == 0 || self.is_prose())
    }
}

/// Returns the fragments of a page, one a line.
pub(super) fn fragments(lines: &[Line]) -> Vec<Fragment> {
    lines.iter().map(fragment).collect()
}

/// Returns the bounds of the letters and tall signs of a line, without leading.
pub(in crate::analysis::figures) fn core(line: &Line) -> Rect {
    let bounds = Rect::around(line.glyphs().map(shown));
    bounds.unwrap_or(line.bounds)
}

/// Returns the bounds of a character without leading.
fn shown(glyph: &Glyph) -> Rect {
    if is_turned(glyph) || is_tall(glyph) {
        return glyph.bounds;
    }
    Rect {
        top: glyph.baseline - ASCENT * glyph.size,
        bottom: glyph.baseline + DESCENT * glyph.size,
        ..glyph.bounds
    }
}

fn fragment(line: &Line) -> Fragment {
    let count = |is: fn(&Glyph) -> bool| line.glyphs().filter(|glyph| is(glyph)).count();
    let words = words(line);
    let is_full = |glyph: &&Glyph| glyph.size >= line.size * 0.9;
    let is_short = line.glyphs().nth(LONGEST).is_none();
    let spans = line.glyphs().filter(|glyph| is_short && is_full(glyph));
    Fragment {
        bounds: core(line),
        baseline: line.baseline,
        size: line.size,
        characters: line.glyphs().count(),
        math: count(is_math),
        in_words: words.iter().map(|word| word.chars().count()).sum(),
        fixed: count(|glyph| glyph.font.is_monospaced),
        tall: count(|glyph| is_tall(glyph) && !is_turned(glyph)),
        words: words.iter().map(|word| weight(word)).sum(),
        is_number: is_number(line),
        spans: spans
            .map(|glyph| (glyph.bounds.left, glyph.bounds.right))
            .collect(),
        is_turned: line.is_turned(),
    }
}

/// Returns how many words letters are; those of languages without spaces are several.
fn weight(letters: &str) -> usize {
    let is_spaced = letters.is_ascii();
    match is_spaced {
        true => 1,
        false => (letters.chars().count() / UNSPACED).max(1),
    }
}

/// Returns the words of a line: letters side by side; in a font for formulas, only Latin ones, because it may be that of the
/// text.
fn words(line: &Line) -> Vec<String> {
    let mut words = vec![String::new()];
    for piece in &line.pieces {
        if !piece.is_close {
            words.push(String::new());
        }
        for glyph in &piece.glyphs {
            let is_letter =
                glyph.text.is_ascii_alphabetic() || glyph.text.is_alphabetic() && !is_math(glyph);
            match words.last_mut().filter(|_| is_letter) {
                Some(word) => word.push(glyph.text),
                None => words.push(String::new()),
            }
        }
    }
    words.retain(|word| word.chars().count() >= WORD && !is_function(word));
    words
}

/// Whether a line is a number in brackets, such as `(3)`, `(2.14a)` or `(A1)`.
fn is_number(line: &Line) -> bool {
    let text: String = line.glyphs().map(|glyph| glyph.text).collect();
    let inner = text.strip_prefix(['(', '[']);
    let inner = inner.and_then(|text| text.strip_suffix([')', ']']));
    inner.is_some_and(|inner| {
        let is_part = |part: char| {
            part.is_ascii_alphanumeric() || matches!(part, '.' | '-' | '–' | '′' | '\'' | '*')
        };
        let letters = inner.chars().filter(|part| part.is_alphabetic()).count();
        (1..=9).contains(&inner.chars().count())
            && inner.chars().all(is_part)
            && inner
                .chars()
                .any(|part| part.is_ascii_digit() || part == '*')
            && letters <= 2
    })
}
