//! Column boundaries: gaps that cross nearly all texts.

use crate::analysis::tables::segment::{Segment, Text};

/// Minimum gap between columns, as a fraction of the font size.
const GAP: f32 = 0.5;
/// Cell padding between texts, as a fraction of the font size.
const PADDING: f32 = 1.1;
/// At most one of this number of texts may span columns, if there are no more texts than `TRIED`.
const ACROSS: usize = 5;
const TRIED: usize = 200;
/// The same limit on the number of segments of these texts.
const SEGMENTS: usize = 2_000;

/// Gaps between columns, from left to right; at least one.
#[derive(Debug)]
pub(in crate::analysis::tables) struct Columns {
    gaps: Vec<(f32, f32)>,
    /// Maximum right end of the text in each column but the last.
    ends: Vec<f32>,
    /// Width of the widest text in each column.
    widths: Vec<f32>,
    /// Whether the columns are indicated by rules, not by the text alone.
    pub(in crate::analysis::tables) are_drawn: bool,
}

impl Columns {
    /// Infers columns from texts; `None` if no gap crosses them.
    pub(in crate::analysis::tables) fn of<'t>(
        texts: impl Iterator<Item = &'t Text>,
    ) -> Option<Self> {
        let mut texts: Vec<&Text> = texts.collect();
        let mut gaps = gaps(&texts);
        let segments: usize = texts.iter().map(|text| text.segments.len()).sum();
        let is_tried = texts.len() <= TRIED && segments <= SEGMENTS;
        let most = if is_tried { texts.len() / ACROSS } else { 0 };
        for _ in 0..most {
            let without = (0..texts.len()).map(|left_out| {
                let others = texts
                    .iter()
                    .enumerate()
                    .filter(|(index, _)| *index != left_out);
                let others: Vec<&Text> = others.map(|(_, text)| *text).collect();
                (left_out, self::gaps(&others))
            });
            // A spanning text hides gaps; leave out the one whose removal shows most.
            let Some((left_out, more)) =
                without.max_by_key(|(index, gaps)| (gaps.len(), usize::MAX - index))
            else {
                break;
            };
            if more.len() <= gaps.len() {
                break;
            }
            texts.remove(left_out);
            gaps = more;
        }
        (!gaps.is_empty()).then(|| Self::with_gaps(gaps, &texts))
    }

    /// Creates columns that begin at `left` and at these joints; the texts give the cell padding.
    pub(in crate::analysis::tables) fn between<'t>(
        joints: &[f32],
        left: f32,
        texts: impl Iterator<Item = &'t Text>,
    ) -> Self {
        let free = texts
            .flat_map(|text| &text.segments)
            .map(|segment| {
                let before = joints.partition_point(|joint| *joint <= segment.left + 0.5);
                let edge = before.checked_sub(1).and_then(|before| joints.get(before));
                segment.left - edge.copied().unwrap_or(left)
            })
            .fold(f32::INFINITY, f32::min);
        let free = if free.is_finite() { free.max(0.0) } else { 0.0 };
        Self {
            gaps: joints.iter().map(|x| (x - free, x + free)).collect(),
            ends: joints.iter().map(|x| x - free).collect(),
            widths: Vec::new(),
            are_drawn: true,
        }
    }

    /// Creates columns with these gaps between them.
    pub(in crate::analysis::tables) fn with_gaps(gaps: Vec<(f32, f32)>, texts: &[&Text]) -> Self {
        let mut columns = Self {
            ends: ends(&gaps, texts),
            widths: vec![0.0; gaps.len() + 1],
            gaps,
            are_drawn: false,
        };
        for segment in texts.iter().flat_map(|text| &text.segments) {
            let (column, last) = columns.of_segment(segment);
            if let Some(width) = columns.widths.get_mut(column).filter(|_| column == last) {
                *width = width.max(segment.right - segment.left);
            }
        }
        columns
    }

    /// Returns the gaps between the columns.
    pub(in crate::analysis::tables) fn gaps(&self) -> &[(f32, f32)] {
        &self.gaps
    }

    /// Returns the number of columns.
    pub(in crate::analysis::tables) fn count(&self) -> usize {
        self.gaps.len() + 1
    }

    /// Returns the first and last column of a segment.
    pub(in crate::analysis::tables) fn of_segment(&self, segment: &Segment) -> (usize, usize) {
        let column = |x: f32| {
            self.gaps
                .partition_point(|(from, to)| f32::midpoint(*from, *to) < x)
        };
        (column(segment.left + 0.5), column(segment.right - 0.5))
    }

    /// Returns the column boundaries between two positions, and the end of the last column.
    pub(in crate::analysis::tables) fn edges(&self, left: f32, right: f32) -> Vec<f32> {
        let between = self.gaps.iter().map(|(from, to)| f32::midpoint(*from, *to));
        [left].into_iter().chain(between).chain([right]).collect()
    }

    /// Returns the maximum right end of the text in a column.
    pub(in crate::analysis::tables) fn end(&self, column: usize) -> Option<f32> {
        self.ends.get(column).copied()
    }

    /// Whether a column without rules certainly has space for a text of this width: it has a wider one.
    pub(in crate::analysis::tables) fn fits(&self, column: usize, width: f32) -> bool {
        self.widths
            .get(column)
            .is_some_and(|widest| width <= *widest)
    }

    /// Returns the minimum left start of the text in a column: after that of the previous column.
    pub(in crate::analysis::tables) fn begin(&self, column: usize) -> Option<f32> {
        let before = self.gaps.get(column.checked_sub(1)?);
        before.map(|(from, _)| *from)
    }

    /// Whether texts are certainly rows: all of them have a single word, such as a number, in the same column.
    pub(in crate::analysis::tables) fn are_several(&self, texts: &[Text]) -> bool {
        let has_word = |text: &Text, column: usize| {
            let mut segments = text.segments.iter();
            segments
                .any(|segment| segment.words == 1 && self.of_segment(segment) == (column, column))
        };
        texts.len() > 1
            && (0..self.count()).any(|column| texts.iter().all(|text| has_word(text, column)))
    }

    /// Whether texts are page columns of prose: at least two columns have many long, full lines.
    pub(in crate::analysis::tables) fn is_prose(&self, texts: &[Text]) -> bool {
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

fn ends(gaps: &[(f32, f32)], texts: &[&Text]) -> Vec<f32> {
    let nexts = gaps
        .iter()
        .skip(1)
        .map(|next| next.0)
        .chain([f32::INFINITY]);
    gaps.iter()
        .zip(nexts)
        .map(|(gap, next)| end(*gap, next, texts))
        .collect()
}

/// Returns the maximum right end of the text before a gap: before the text of the next column if that is left-aligned.
fn end((from, to): (f32, f32), last: f32, texts: &[&Text]) -> f32 {
    let size = texts.iter().map(|text| text.size).fold(0.0, f32::max);
    let next = texts.iter().flat_map(|text| &text.segments);
    let next = next.filter(|segment| to - 0.5 <= segment.left && segment.right <= last + 0.5);
    match begin_at(to, next.map(|segment| (segment.left, segment.right))) {
        true => from.max(to - size * PADDING),
        false => from,
    }
}

/// Whether most content of a column is aligned at its left edge instead of its right edge, as numbers are.
fn begin_at(edge: f32, spans: impl Iterator<Item = (f32, f32)>) -> bool {
    let spans: Vec<(f32, f32)> = spans.collect();
    let most = spans
        .iter()
        .map(|(_, right)| *right)
        .fold(f32::NEG_INFINITY, f32::max);
    let at_left = spans.iter().filter(|(left, _)| left - edge < 1.5).count();
    let at_right = spans.iter().filter(|(_, right)| most - right < 1.5).count();
    at_left * 5 >= spans.len() * 3 && at_left >= at_right
}

/// Returns the gaps that cross all texts.
fn gaps(texts: &[&Text]) -> Vec<(f32, f32)> {
    let size = texts.iter().map(|text| text.size).fold(0.0, f32::max);
    let mut spans: Vec<(f32, f32)> = texts
        .iter()
        .flat_map(|text| &text.segments)
        .map(|segment| (segment.left, segment.right))
        .collect();
    spans.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut gaps = Vec::new();
    let mut end = f32::INFINITY;
    for (left, right) in spans {
        if left - end >= size * GAP {
            gaps.push((end, left));
        }
        end = if end.is_finite() {
            end.max(right)
        } else {
            right
        };
    }
    gaps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::tables::segment::tests::text;

    /// Returns the number of columns inferred from this number of texts with 20 segments each, and one that spans all of them.
    fn columns(texts: usize) -> Option<usize> {
        let lefts = || (0..20_u8).map(|column| f32::from(column) * 20.0);
        let row = || {
            text(
                0.0,
                &lefts().map(|left| (left, left + 10.0)).collect::<Vec<_>>(),
                false,
            )
        };
        let mut all: Vec<Text> = (0..texts).map(|_| row()).collect();
        all.push(text(0.0, &[(0.0, 390.0)], false));
        Columns::of(all.iter()).map(|columns| columns.count())
    }

    #[test]
    fn the_search_for_spanning_texts_is_limited() {
        let most = SEGMENTS / 20;
        assert!(most < TRIED);
        assert_eq!(columns(most - 1), Some(20));
        assert_eq!(columns(most), None);
    }
}
