//! Groups characters into segments of one line without wide gaps.

use crate::analysis::glyphs::bidi;
use crate::analysis::glyphs::glyph::Glyph;
use crate::analysis::lines::entry::Entry;
use crate::analysis::lines::write::{ends_sentence, is_ideographic};

/// Minimum gap between words, and between cells, as a fraction of the font size.
const WORD: f32 = 0.17;
pub(in crate::analysis::tables) const WIDE: f32 = 0.8;
/// Minimum gap between cells at a known column boundary, and away from one, as a fraction of the font size. The first is less
/// than a word space, since a spanning cell may cross the boundary.
const CLOSE: f32 = 0.08;
const APART: f32 = 0.42;
/// Maximum difference of the baselines of one line, as a fraction of the font size.
const LEVEL: f32 = 0.45;

/// The characters of one line.
#[derive(Clone, Debug)]
pub(in crate::analysis::tables) struct Text {
    pub(in crate::analysis::tables) baseline: f32,
    pub(in crate::analysis::tables) size: f32,
    /// Segments from left to right; at least one.
    pub(in crate::analysis::tables) segments: Vec<Segment>,
}

/// Characters without a wide gap.
#[derive(Clone, Copy, Debug)]
pub(in crate::analysis::tables) struct Segment {
    pub(in crate::analysis::tables) left: f32,
    pub(in crate::analysis::tables) right: f32,
    /// Width of the word that is read first.
    pub(in crate::analysis::tables) first: f32,
    pub(in crate::analysis::tables) words: usize,
    pub(in crate::analysis::tables) characters: usize,
    pub(in crate::analysis::tables) digits: usize,
    /// The number that it consists of.
    pub(in crate::analysis::tables) number: Option<u32>,
    pub(in crate::analysis::tables) has_letters: bool,
    /// Whether it begins with a lower-case letter.
    pub(in crate::analysis::tables) is_small: bool,
    /// Whether it begins with a letter of a script without case.
    pub(in crate::analysis::tables) is_caseless: bool,
    /// Number of words that end with the punctuation of a sentence or clause, other than a colon.
    pub(in crate::analysis::tables) stops: usize,
    /// The character that is read last.
    pub(in crate::analysis::tables) last: char,
    pub(in crate::analysis::tables) is_bold: bool,
    /// Whether it is read from the right.
    pub(in crate::analysis::tables) from_right: bool,
    /// Whether it is right-to-left text, whose lines are often far apart.
    pub(in crate::analysis::tables) is_tall: bool,
    /// Its order among entries.
    pub(in crate::analysis::tables) entry: Entry,
}

impl Text {
    /// Returns the width of its widest segment.
    pub(in crate::analysis::tables) fn widest(&self) -> f32 {
        self.segments
            .iter()
            .map(|segment| segment.right - segment.left)
            .fold(0.0, f32::max)
    }
}

/// Groups characters into texts from top to bottom; `joints` are column boundaries, and gaps of `wide` times the font size part
/// segments.
pub(in crate::analysis::tables) fn texts<'g>(
    glyphs: impl Iterator<Item = &'g Glyph>,
    joints: &[f32],
    wide: f32,
) -> Vec<Text> {
    let upright =
        |glyph: &&Glyph| !glyph.text.is_whitespace() && !(4.0..356.0).contains(&glyph.angle);
    let mut glyphs: Vec<&Glyph> = glyphs.filter(upright).collect();
    glyphs.sort_by(|one, other| one.baseline.total_cmp(&other.baseline));
    let mut texts = Vec::new();
    let mut rest = glyphs.as_mut_slice();
    while let Some(first) = rest.first().copied() {
        let mut last = first;
        let neighbors = rest.iter().take_while(|glyph| {
            let is_beside = glyph.baseline - last.baseline <= last.size.max(glyph.size) * LEVEL
                && glyph.baseline - first.baseline <= first.size.max(glyph.size);
            last = glyph;
            is_beside
        });
        let length = neighbors.count().clamp(1, rest.len());
        let (row, others) = std::mem::take(&mut rest).split_at_mut(length);
        texts.extend(text(row, joints, wide));
        rest = others;
    }
    texts
}

fn text(glyphs: &mut [&Glyph], joints: &[f32], wide: f32) -> Option<Text> {
    let size = glyphs.iter().map(|glyph| glyph.size).fold(0.0, f32::max);
    let baseline = glyphs.iter().find(|glyph| glyph.size >= size)?.baseline;
    glyphs.sort_by(|one, other| one.bounds.left.total_cmp(&other.bounds.left));
    let mut segments: Vec<Segment> = Vec::new();
    let mut rest = &*glyphs;
    while let Some(first) = rest.first() {
        let mut right = first.bounds.right;
        let length = rest.iter().take_while(|glyph| {
            let is_near = !parts((right, glyph.bounds.left), size, joints, wide);
            right = right.max(glyph.bounds.right);
            is_near
        });
        let (own, others) = rest.split_at(length.count().clamp(1, rest.len()));
        segments.extend(segment(own, size));
        rest = others;
    }
    Some(Text {
        baseline,
        size,
        segments,
    })
}

/// Whether a gap separates cells.
fn parts((from, to): (f32, f32), size: f32, joints: &[f32], wide: f32) -> bool {
    let is_joint = || joints.iter().any(|joint| (from..=to).contains(joint));
    let gap = (to - from) / size;
    gap >= wide || (gap >= APART || (CLOSE..WORD).contains(&gap)) && is_joint()
}

/// Creates a segment from characters from left to right.
fn segment(glyphs: &[&Glyph], size: f32) -> Option<Segment> {
    let (first, last) = (glyphs.first()?, glyphs.last()?);
    // Left and right edges of the first and last word.
    let mut words: Option<[(f32, f32); 2]> = None;
    let mut count = 0;
    for glyph in glyphs {
        let (left, right) = (glyph.bounds.left, glyph.bounds.right);
        // A line of ideographs can break after any of them.
        let is_word = is_ideographic(glyph.text);
        match &mut words {
            Some([first, last]) if left - last.1 <= size * WORD && !is_word => {
                last.1 = last.1.max(right);
                if count == 1 {
                    *first = *last;
                }
            }
            _ => {
                let word = (left, right);
                words = Some([words.map_or(word, |[first, _]| first), word]);
                count += 1;
            }
        }
    }
    let [first_word, last_word] =
        words.map_or([0.0; 2], |words| words.map(|(left, right)| right - left));
    let from_right = bidi::is_mostly_from_right(glyphs.iter().copied());
    let (begin, end) = match from_right {
        false => (first.text, last.text),
        true => (last.text, first.text),
    };
    Some(Segment {
        left: first.bounds.left,
        right: glyphs
            .iter()
            .map(|glyph| glyph.bounds.right)
            .fold(last.bounds.right, f32::max),
        first: match from_right {
            false => first_word,
            true => last_word,
        },
        words: count,
        characters: glyphs.len(),
        digits: glyphs
            .iter()
            .filter(|glyph| glyph.text.is_numeric())
            .count(),
        number: number(glyphs),
        has_letters: glyphs.iter().any(|glyph| glyph.text.is_alphabetic()),
        is_small: begin.is_lowercase(),
        is_caseless: begin.is_alphabetic() && !begin.is_lowercase() && !begin.is_uppercase(),
        stops: stops(glyphs, size, from_right),
        last: end,
        is_bold: first.font.is_bold,
        from_right,
        is_tall: bidi::is_text_from_right(glyphs.iter().map(|glyph| glyph.text)),
        entry: Entry::of(glyphs.iter().map(|glyph| glyph.text), first.bounds.left),
    })
}

/// Returns the number of words that end with punctuation other than a colon.
fn stops(glyphs: &[&Glyph], size: f32, from_right: bool) -> usize {
    let ends_word = |place: usize, glyph: &Glyph| match from_right {
        false => glyphs
            .get(place + 1)
            .is_none_or(|next| next.bounds.left - glyph.bounds.right > size * WORD),
        true => place
            .checked_sub(1)
            .and_then(|before| glyphs.get(before))
            .is_none_or(|next| glyph.bounds.left - next.bounds.right > size * WORD),
    };
    let all = glyphs.iter().enumerate();
    let signs = all.filter(|(_, glyph)| glyph.text != ':' && ends_sentence(glyph.text));
    signs
        .filter(|(place, glyph)| ends_word(*place, glyph))
        .count()
}

/// Returns the number that characters are.
fn number(glyphs: &[&Glyph]) -> Option<u32> {
    let digits = glyphs.iter().map(|glyph| glyph.text.to_digit(10));
    digits.into_iter().try_fold(0_u32, |number, digit| {
        number.checked_mul(10)?.checked_add(digit?)
    })
}

#[cfg(test)]
pub(in crate::analysis::tables) mod tests {
    use super::*;

    /// Creates a line of segments with this text size 10; `numbers` are without letters.
    pub(in crate::analysis::tables) fn text(
        baseline: f32,
        segments: &[(f32, f32)],
        numbers: bool,
    ) -> Text {
        let segment = |(left, right): &(f32, f32)| Segment {
            left: *left,
            right: *right,
            first: right - left,
            words: 1,
            characters: 4,
            digits: if numbers { 4 } else { 0 },
            number: None,
            has_letters: !numbers,
            is_small: false,
            is_caseless: false,
            stops: 0,
            last: 'e',
            is_bold: false,
            from_right: false,
            is_tall: false,
            entry: Entry::of("".chars(), *left),
        };
        Text {
            baseline,
            size: 10.0,
            segments: segments.iter().map(segment).collect(),
        }
    }
}
