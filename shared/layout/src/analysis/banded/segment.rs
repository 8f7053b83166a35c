//! Characters → what stands on one height without a wide gap.

use crate::analysis::bidi;
use crate::analysis::glyph::Glyph;
use crate::analysis::write::is_ideographic;

/// The gaps that part words and what stands in different cells, in parts of the size.
const WORD: f32 = 0.17;
const WIDE: f32 = 0.8;
/// The gaps that part cells where columns are known to be parted, in parts of the size: less than words have between them, which
/// may be of one cell that reaches across, or more.
const CLOSE: f32 = 0.08;
const APART: f32 = 0.42;
/// How unlike the heights are of what stands on one, in parts of the size.
const LEVEL: f32 = 0.45;

/// What stands on one height.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) baseline: f32,
    pub(super) size: f32,
    /// From left to right; at least one.
    pub(super) segments: Vec<Segment>,
}

/// What is written without a wide gap.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub(super) left: f32,
    pub(super) right: f32,
    /// How wide the word is that is read first.
    pub(super) first: f32,
    pub(super) words: usize,
    pub(super) characters: usize,
    pub(super) has_letters: bool,
    pub(super) is_bold: bool,
    /// Whether it is read from the right.
    pub(super) from_right: bool,
}

impl Text {
    /// How wide its widest segment is.
    pub(super) fn widest(&self) -> f32 {
        self.segments
            .iter()
            .map(|segment| segment.right - segment.left)
            .fold(0.0, f32::max)
    }
}

/// The texts that characters make, from top to bottom; at `joints` columns are parted.
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

/// Whether a gap parts what stands in different cells.
fn parts((from, to): (f32, f32), size: f32, joints: &[f32]) -> bool {
    let is_joint = || joints.iter().any(|joint| (from..=to).contains(joint));
    let gap = (to - from) / size;
    gap >= WIDE || (gap >= APART || (CLOSE..WORD).contains(&gap)) && is_joint()
}

/// What characters make that stand from left to right without a wide gap.
fn segment(glyphs: &[&Glyph], size: f32) -> Option<Segment> {
    let (first, last) = (glyphs.first()?, glyphs.last()?);
    let mut words: Vec<(f32, f32)> = Vec::new();
    for glyph in glyphs {
        let (left, right) = (glyph.bounds.left, glyph.bounds.right);
        // Lines of ideographs end after any of them.
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
