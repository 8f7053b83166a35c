//! Validates lengths: a damaged document may contain any number, NaN included.

use crate::{Rect, Shape, Size, StrokeStyle};

/// Returns a rectangle if its coordinates are valid.
pub(super) fn place(bounds: Option<Rect>) -> Option<Rect> {
    bounds.filter(|bounds| {
        let sides = [bounds.left, bounds.top, bounds.right, bounds.bottom];
        sides.iter().all(|side| side.abs() < MAX_DISTANCE)
    })
}

/// Returns the bounds of a shape if all of its points are valid.
pub(super) fn around(shape: &Shape) -> Option<Rect> {
    let mut points = shape.segments.iter().flat_map(crate::PathSegment::points);
    let is_somewhere = points.all(|(x, y)| x.abs() < MAX_DISTANCE && y.abs() < MAX_DISTANCE);
    shape.bounds().filter(|_| is_somewhere)
}

/// Returns the line width and the dashes, if those are valid.
pub(super) fn stroke(stroke: &StrokeStyle) -> (f32, &[f32]) {
    let are_lengths = stroke
        .dashes
        .iter()
        .all(|dash| (0.0..MAX_DISTANCE).contains(dash));
    let dashes = Some(stroke.dashes.as_slice()).filter(|_| are_lengths);
    let width = if stroke.width.is_nan() {
        MIN_LINE_WIDTH
    } else {
        stroke.width.clamp(MIN_LINE_WIDTH, MAX_DISTANCE)
    };
    (width, dashes.unwrap_or_default())
}

/// Clamps the sides of a size to `least` and `most` points; an invalid side becomes that of A4.
pub(super) fn size(size: Size, least: f32, most: f32) -> Size {
    let side = |side: f32, usual: f32| {
        if side.is_nan() {
            usual
        } else {
            side.clamp(least, most)
        }
    };
    Size {
        width: side(size.width, 595.0),
        height: side(size.height, 842.0),
    }
}

/// Rounds a length to hundredths.
pub(super) fn hundredths(length: f32) -> f32 {
    (length * 100.0).round() / 100.0
}

/// Minimum line width, points.
const MIN_LINE_WIDTH: f32 = 0.1;

/// Maximum distance from the corner of the page, points.
pub(super) const MAX_DISTANCE: f32 = 100_000.0;
