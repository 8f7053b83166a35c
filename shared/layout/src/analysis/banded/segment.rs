//! Groups characters into segments of one line without wide gaps.

use crate::analysis::bidi;
use crate::analysis::glyph::Glyph;
use crate::analysis::write::is_ideographic;

/// Minimum gap between words, and between cells, as a fraction of the font size.
const WORD: f32 = 0.17;
const WIDE: f32 = 0.8;
/// Minimum gap between cells at a known column boundary, and away from one, as a fraction of the font size. The first is less
/// than a word space, since a spanning cell may cross the boundary.
const CLOSE: f32 = 0.08;
const APART: f32 = 0.42;
/// Maximum difference of the baselines of one line, as a fraction of the font size.
const LEVEL: f32 = 0.45;

/// The characters of one line.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) baseline: f32,
    pub(super) size: f32,
    /// Segments from left to right; at least one.
    pub(super) segments: Vec<Segment>,
}

/// Characters without a wide gap.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub(super) left: f32,
    pub(super) right: f32,
    /// Width of the word that is read first.
    pub(super) first: f32,
    pub(super) words: usize,
    pub(super) characters: usize,
    pub(super) has_letters: bool,
    pub(super) is_bold: bool,
    /// Whether it is right-to-left.
    pub(super) from_right: bool,
}

impl Text {
    /// Returns the width of its widest segment.
    pub(super) fn widest(&self) -> f32 {
        self.segments
            .iter()
            .map(|segment| segment.right - segment.left)
            .fold(0.0, f32::max)
    }
}

/// Groups characters into texts from top to bottom; `joints` are column boundaries.
pub(super) fn texts<'g>(glyphs: impl Iterator<Item = &'g Glyph>, joints: &[f32]) -> Vec<Text> {
    let upright =
        |glyph: &&Glyph| !glyph.text.is_whitespace() && !(4.0..356.0).contains(&glyph.angle);
    let mut glyphs: Vec<&Glyph> = glyphs.filter(upright).collect();
    glyphs.sort_by(|one, other| one.baseline.total_cmp(&other.baseline));
    let mut rows: Vec<Vec<&Glyph>> = Vec::new();
    for glyph in glyphs {
        let beside = |row: &&mut Vec<&Glyph>| {
            row.last().is_some_and(|last| {
                glyph.baseline - last.baseline <= last.size.max(glyph.size) * LEVEL
            }) && row
                .first()
                .is_some_and(|first| glyph.baseline - first.baseline <= first.size.max(glyph.size))
        };
        match rows.last_mut().filter(beside) {
            Some(row) => row.push(glyph),
            None => rows.push(vec![glyph]),
        }
    }
    let text = |row| text(row, joints);
    rows.into_iter().filter_map(text).collect()
}

fn text(mut glyphs: Vec<&Glyph>, joints: &[f32]) -> Option<Text> {
    let size = glyphs.iter().map(|glyph| glyph.size).fold(0.0, f32::max);
    let baseline = glyphs.iter().find(|glyph| glyph.size >= size)?.baseline;
    glyphs.sort_by(|one, other| one.bounds.left.total_cmp(&other.bounds.left));
    let mut segments: Vec<Segment> = Vec::new();
    let mut rest = glyphs.as_slice();
    while let Some(first) = rest.first() {
        let mut right = first.bounds.right;
        let length = rest.iter().take_while(|glyph| {
            let is_near = !parts((right, glyph.bounds.left), size, joints);
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
fn parts((from, to): (f32, f32), size: f32, joints: &[f32]) -> bool {
    let is_joint = || joints.iter().any(|joint| (from..=to).contains(joint));
    let gap = (to - from) / size;
    gap >= WIDE || (gap >= APART || (CLOSE..WORD).contains(&gap)) && is_joint()
}

/// Creates a segment from characters from left to right.
fn segment(glyphs: &[&Glyph], size: f32) -> Option<Segment> {
    let (first, last) = (glyphs.first()?, glyphs.last()?);
    let mut words: Vec<(f32, f32)> = Vec::new();
    for glyph in glyphs {
        let (left, right) = (glyph.bounds.left, glyph.bounds.right);
        // A line of ideographs can break after any of them.
        let is_word = is_ideographic(glyph.text);
        match words.last_mut() {
            Some(word) if left - word.1 <= size * WORD && !is_word => word.1 = word.1.max(right),
            _ => words.push((left, right)),
        }
    }
    let width = |word: Option<&(f32, f32)>| word.map_or(0.0, |(left, right)| right - left);
    let from_right = bidi::is_mostly_from_right(glyphs.iter().map(|glyph| glyph.text));
    Some(Segment {
        left: first.bounds.left,
        right: glyphs
            .iter()
            .map(|glyph| glyph.bounds.right)
            .fold(last.bounds.right, f32::max),
        first: match from_right {
            false => width(words.first()),
            true => width(words.last()),
        },
        words: words.len(),
        characters: glyphs.len(),
        has_letters: glyphs.iter().any(|glyph| glyph.text.is_alphabetic()),
        is_bold: first.font.is_bold,
        from_right,
    })
}
