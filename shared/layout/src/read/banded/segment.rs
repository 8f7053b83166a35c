//! Characters → what stands on one height without a wide gap.

use crate::read::glyph::Glyph;

/// The gaps that part words and what stands in different cells, in parts of the size.
const WORD: f32 = 0.17;
const WIDE: f32 = 0.8;
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
    /// How wide its first word is.
    pub(super) first: f32,
    pub(super) words: usize,
    pub(super) characters: usize,
    pub(super) has_letters: bool,
    pub(super) is_bold: bool,
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

/// The texts that characters make, from top to bottom.
pub(super) fn texts<'g>(glyphs: impl Iterator<Item = &'g Glyph>) -> Vec<Text> {
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
    rows.into_iter().filter_map(text).collect()
}

fn text(mut glyphs: Vec<&Glyph>) -> Option<Text> {
    let size = glyphs.iter().map(|glyph| glyph.size).fold(0.0, f32::max);
    let baseline = glyphs.iter().find(|glyph| glyph.size >= size)?.baseline;
    glyphs.sort_by(|one, other| one.bounds.left.total_cmp(&other.bounds.left));
    let mut segments: Vec<Segment> = Vec::new();
    for glyph in glyphs {
        let (left, right) = (glyph.bounds.left, glyph.bounds.right);
        match segments
            .last_mut()
            .filter(|last| left - last.right < size * WIDE)
        {
            Some(last) => {
                last.words += usize::from(left - last.right > size * WORD);
                last.right = last.right.max(right);
                last.characters += 1;
                last.has_letters |= glyph.text.is_alphabetic();
                if last.words == 1 {
                    last.first = last.right - last.left;
                }
            }
            None => segments.push(Segment {
                left,
                right,
                first: right - left,
                words: 1,
                characters: 1,
                has_letters: glyph.text.is_alphabetic(),
                is_bold: glyph.font.is_bold,
            }),
        }
    }
    Some(Text {
        baseline,
        size,
        segments,
    })
}
