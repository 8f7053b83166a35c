//! Strokes → lines: what was drawn in parts is one, however often it was drawn.

use crate::model::geometry::Rect;
use crate::model::page_content::Stroke;

/// Most strokes of a page that are looked at.
const STROKES: usize = 20_000;
/// How far apart parts of one line are, across it and along it, points.
const ACROSS: f32 = 1.5;
const ALONG: f32 = 3.0;

/// Level and upright lines.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    pub(super) level: Vec<Rect>,
    pub(super) upright: Vec<Rect>,
}

impl Lines {
    /// The lines that strokes make.
    pub(super) fn of(strokes: &[Stroke]) -> Self {
        let strokes = strokes.iter().take(STROKES);
        let (level, upright): (Vec<&Stroke>, Vec<_>) =
            strokes.partition(|stroke| stroke.is_level());
        let upright = upright.into_iter().map(|stroke| flipped(&stroke.bounds));
        Self {
            level: merged(level.into_iter().map(|stroke| stroke.bounds).collect()),
            upright: merged(upright.collect()).iter().map(flipped).collect(),
        }
    }
}

/// Level lines for upright ones, and back.
fn flipped(rect: &Rect) -> Rect {
    Rect {
        left: rect.top,
        top: rect.left,
        right: rect.bottom,
        bottom: rect.right,
    }
}

/// Level parts, those together that are on one line and touch.
fn merged(mut parts: Vec<Rect>) -> Vec<Rect> {
    parts.sort_by(|one, other| one.centre().1.total_cmp(&other.centre().1));
    let mut merged: Vec<Rect> = Vec::new();
    let mut rest = parts.as_slice();
    while let Some(first) = rest.first() {
        let height = first.centre().1 + ACROSS;
        let (strip, others) = rest.split_at(
            rest.partition_point(|part| part.centre().1 <= height)
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
