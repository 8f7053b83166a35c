//! Gaps between the segments of lines, which columns have in common.

use crate::analysis::tables::segment::Text;

/// Minimum gap between columns, as a fraction of the font size.
pub(super) const GAP: f32 = 0.6;

/// The left and right edge of a gap.
pub(super) type Span = (f32, f32);

/// Returns the gaps of a line.
pub(super) fn own_gaps(text: &Text) -> Vec<Span> {
    let pairs = text.segments.iter().zip(text.segments.iter().skip(1));
    let gaps = pairs.map(|(one, next)| (one.right, next.left));
    gaps.filter(|(from, to)| to - from >= text.size * GAP)
        .collect()
}

/// Returns the common parts of the gaps of two lines.
pub(super) fn shared(gaps: &[Span], others: &[Span]) -> Vec<Span> {
    let mut shared = Vec::new();
    let mut rest = others;
    for (from, to) in gaps {
        let begin = rest.partition_point(|(_, end)| end <= from);
        rest = rest.get(begin..).unwrap_or_default();
        let own = rest.iter().take_while(|(begin, _)| begin < to);
        let own = own.map(|(begin, end)| (from.max(*begin), to.min(*end)));
        shared.extend(own.filter(|(from, to)| to - from > 4.0));
    }
    shared
}

/// Returns the gaps that are free in a line, as far as it leaves them. A gap with text inside remains one: that text is next to
/// it.
pub(super) fn common(gaps: &[Span], text: &Text) -> Vec<Span> {
    let free = gaps.iter().filter_map(|(from, to)| {
        let mut begin = *from;
        let mut widest = (*from, *from);
        let mut note = |from: f32, to: f32| {
            if to - from > widest.1 - widest.0 {
                widest = (from, to);
            }
        };
        let inside = text
            .segments
            .partition_point(|segment| segment.right <= *from);
        for segment in text.segments.iter().skip(inside) {
            if segment.right <= begin {
                continue;
            }
            if segment.left >= *to {
                break;
            }
            note(begin, segment.left);
            begin = segment.right;
        }
        note(begin, *to);
        (widest.1 - widest.0 >= text.size * GAP).then_some(widest)
    });
    free.collect()
}

/// Returns the number of gaps that a line crosses.
pub(super) fn crossed(gaps: &[Span], text: &Text) -> usize {
    gaps.len() - common(gaps, text).len()
}

/// Returns the gaps as wide as the text of the lines leaves them.
fn settled(gaps: &[Span], texts: &[&Text]) -> Vec<Span> {
    let segments = || texts.iter().flat_map(|text| &text.segments);
    let settle = |(from, to): &Span| {
        let middle = f32::midpoint(*from, *to);
        let before = segments()
            .map(|segment| segment.right)
            .filter(|right| *right <= middle);
        let after = segments()
            .map(|segment| segment.left)
            .filter(|left| *left >= middle);
        let (before, after) = (
            before.fold(f32::NEG_INFINITY, f32::max),
            after.fold(f32::INFINITY, f32::min),
        );
        (before.is_finite() && after.is_finite()).then_some((before, after))
    };
    let mut settled: Vec<Span> = gaps.iter().filter_map(settle).collect();
    settled.dedup();
    settled
}

/// Returns the gaps as wide as the lines leave them, with those of columns that are empty in so many lines that no two
/// consecutive ones share them.
pub(super) fn gaps(known: &[Span], texts: &[&Text]) -> Vec<Span> {
    let mut gaps = settled(known, texts);
    let size = texts.iter().map(|text| text.size).fold(0.0, f32::max);
    let free = free(texts).into_iter().filter(|(from, to)| {
        let is_new = known.iter().all(|(begin, end)| end <= from || to <= begin);
        is_new && to - from >= size * GAP
    });
    let free: Vec<Span> = free.collect();
    let before = free.iter().filter(|gap| is_shown(gap, &gaps, texts));
    let before: Vec<Span> = before.copied().collect();
    gaps.extend(before);
    gaps.sort_by(|one, other| one.0.total_cmp(&other.0));
    gaps
}

/// Returns the spaces between text that are free in all lines.
fn free(texts: &[&Text]) -> Vec<Span> {
    let segments = texts.iter().flat_map(|text| &text.segments);
    let mut spans: Vec<Span> = segments
        .map(|segment| (segment.left, segment.right))
        .collect();
    spans.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut end = f32::INFINITY;
    let mut free = Vec::new();
    for (left, right) in spans {
        if left > end {
            free.push((end, left));
        }
        end = if end.is_finite() {
            end.max(right)
        } else {
            right
        };
    }
    free
}

/// Whether a free space separates two columns: both have several entries between the known gaps, and a line has one in each.
fn is_shown((from, to): &Span, gaps: &[Span], texts: &[&Text]) -> bool {
    let next = gaps.partition_point(|gap| gap.0 < *from);
    let begin = next.checked_sub(1).and_then(|before| gaps.get(before));
    let begin = begin.map_or(f32::NEG_INFINITY, |gap| gap.1);
    let end = gaps.get(next).map_or(f32::INFINITY, |gap| gap.0);
    let has = |text: &Text, left: f32, right: f32| {
        let mut segments = text.segments.iter();
        segments.any(|segment| left <= segment.left && segment.right <= right)
    };
    let (mut before, mut after, mut both) = (0, 0, 0);
    for text in texts {
        let sides = (has(text, begin, *from), has(text, *to, end));
        before += usize::from(sides.0);
        after += usize::from(sides.1);
        both += usize::from(sides.0 && sides.1);
    }
    before > 1 && after > 1 && both > 0
}
