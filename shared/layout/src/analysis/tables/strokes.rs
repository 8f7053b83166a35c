//! Strokes → lines: merges collinear parts and duplicates.

use crate::model::geometry::Rect;
use crate::model::page_content::Stroke;

/// Maximum number of strokes of a page.
const STROKES: usize = 20_000;
/// Tolerance for parts of one line, across and along it, points.
const ACROSS: f32 = 1.5;
const ALONG: f32 = 3.0;

/// Horizontal and vertical lines.
#[derive(Clone, Debug, Default)]
pub(in crate::analysis) struct Lines {
    pub(in crate::analysis) level: Vec<Rect>,
    pub(in crate::analysis) upright: Vec<Rect>,
}

impl Lines {
    /// Merges strokes to lines.
    pub(in crate::analysis) fn of(strokes: &[Stroke]) -> Self {
        let strokes = strokes.iter().take(STROKES);
        let (level, upright): (Vec<&Stroke>, Vec<_>) =
            strokes.partition(|stroke| stroke.is_horizontal());
        let upright = upright.into_iter().map(|stroke| flipped(&stroke.bounds));
        Self {
            level: merged(level.into_iter().map(|stroke| stroke.bounds).collect()),
            upright: merged(upright.collect()).iter().map(flipped).collect(),
        }
    }
}

/// Swaps x and y.
fn flipped(rect: &Rect) -> Rect {
    Rect {
        left: rect.top,
        top: rect.left,
        right: rect.bottom,
        bottom: rect.right,
    }
}

/// Merges horizontal parts that are on one line and touch.
fn merged(mut parts: Vec<Rect>) -> Vec<Rect> {
    parts.sort_by(|one, other| one.center().1.total_cmp(&other.center().1));
    let mut merged: Vec<Rect> = Vec::new();
    let mut rest = parts.as_slice();
    while let Some(first) = rest.first() {
        let height = first.center().1 + ACROSS;
        let (strip, others) = rest.split_at(
            rest.partition_point(|part| part.center().1 <= height)
                .max(1),
        );
        let mut strip = strip.to_vec();
        strip.sort_by(|one, other| one.left.total_cmp(&other.left));
        let begin = merged.len();
        for part in strip {
            match merged.get_mut(begin..).and_then(<[Rect]>::last_mut) {
                Some(last) if part.left <= last.right + ALONG => *last = last.union(&part),
                _ => merged.push(part),
            }
        }
        rest = others;
    }
    merged
}
