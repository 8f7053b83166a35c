//! Where columns are parted: gaps that go through nearly all texts.

use super::segment::{Segment, Text};

/// The narrowest gap between columns, in parts of the size.
const GAP: f32 = 0.5;
/// Most texts that may reach across columns: one of so many.
const ACROSS: usize = 3;

/// Gaps between columns, from left to right; at least one.
#[derive(Debug)]
pub(super) struct Columns {
    gaps: Vec<(f32, f32)>,
}

impl Columns {
    /// Those that texts show; none where too many of them reach across.
    pub(super) fn of<'t>(texts: impl Iterator<Item = &'t Text>) -> Option<Self> {
        let mut texts: Vec<&Text> = texts.collect();
        // Those with the most segments show the gaps; the others may reach over some of them.
        texts.sort_by_key(|text| std::cmp::Reverse(text.segments.len()));
        let most = texts
            .get(usize::from(texts.len() > 3))
            .map_or(0, |text| text.segments.len());
        let first = texts.iter().find(|text| text.segments.len() <= most)?;
        let pairs = first.segments.iter().zip(first.segments.iter().skip(1));
        let mut gaps: Vec<(f32, f32)> = pairs.map(|(one, other)| (one.right, other.left)).collect();
        let mut across = 0;
        for text in &texts {
            match narrowed(&gaps, text) {
                Some(narrowed) => gaps = narrowed,
                None => across += 1,
            }
        }
        (!gaps.is_empty() && across * ACROSS <= texts.len()).then_some(Self { gaps })
    }

    /// How many columns there are.
    pub(super) fn count(&self) -> usize {
        self.gaps.len() + 1
    }

    /// From which column to which something reaches.
    pub(super) fn of_segment(&self, segment: &Segment) -> (usize, usize) {
        let column = |x: f32| {
            self.gaps
                .partition_point(|(from, to)| f32::midpoint(*from, *to) < x)
        };
        (column(segment.left + 0.5), column(segment.right - 0.5))
    }

    /// Where columns begin between two places, and where the last ends.
    pub(super) fn edges(&self, left: f32, right: f32) -> Vec<f32> {
        let between = self.gaps.iter().map(|(from, to)| f32::midpoint(*from, *to));
        [left].into_iter().chain(between).chain([right]).collect()
    }

    /// Where a column ends at most.
    pub(super) fn end(&self, column: usize) -> Option<f32> {
        self.gaps.get(column).map(|(from, _)| *from)
    }

    /// Whether texts are rows for sure: all of them have one word in the same column, such as a number.
    pub(super) fn are_several(&self, texts: &[Text]) -> bool {
        let has_word = |text: &Text, column: usize| {
            let mut segments = text.segments.iter();
            segments
                .any(|segment| segment.words == 1 && self.of_segment(segment) == (column, column))
        };
        texts.len() > 1
            && (0..self.count()).any(|column| texts.iter().all(|text| has_word(text, column)))
    }

    /// Whether texts are those of columns of a page: in at least two of them long, full and many.
    pub(super) fn is_prose(&self, texts: &[Text]) -> bool {
        let mut found = vec![(0_usize, 0_usize, 0.0_f32, 0.0_f32); self.count()];
        for segment in texts.iter().flat_map(|text| &text.segments) {
            if let Some((lines, characters, width, widest)) =
                found.get_mut(self.of_segment(segment).0)
            {
                let own = segment.right - segment.left;
                *lines += 1;
                *characters += segment.characters;
                *width += own;
                *widest = widest.max(own);
            }
        }
        let prose = found
            .into_iter()
            .filter(|(lines, characters, width, widest)| {
                #[expect(clippy::cast_precision_loss, reason = "there are not so many lines")]
                let count = (*lines).max(1) as f32;
                *lines >= 8 && *characters >= lines * 20 && width / count >= widest * 0.7
            });
        prose.count() >= 2
    }
}

/// What of gaps a text leaves free; none where it reaches across one.
fn narrowed(gaps: &[(f32, f32)], text: &Text) -> Option<Vec<(f32, f32)>> {
    let least = text.size * GAP;
    let narrowed = gaps.iter().map(|(from, to)| {
        let (mut from, mut to) = (*from, *to);
        let centre = f32::midpoint(from, to);
        for segment in &text.segments {
            if segment.left <= centre && segment.right > from {
                from = segment.right;
            }
            if segment.left > centre && segment.left < to {
                to = segment.left;
            }
        }
        (to - from >= least).then_some((from, to))
    });
    narrowed.collect()
}
