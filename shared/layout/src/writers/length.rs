//! Lengths that can be written: a broken document may have any number for one, and none that is a number.

use crate::{Pen, Rect, Shape, Size};

/// Where something stands, if that is a place.
pub(super) fn place(bounds: Option<Rect>) -> Option<Rect> {
    bounds.filter(|bounds| {
        let sides = [bounds.left, bounds.top, bounds.right, bounds.bottom];
        sides.iter().all(|side| side.abs() < FARTHEST)
    })
}

/// Around a shape, if all of its points are places.
pub(super) fn around(shape: &Shape) -> Option<Rect> {
    let mut points = shape.steps.iter().flat_map(crate::Step::points);
    let is_somewhere = points.all(|(x, y)| x.abs() < FARTHEST && y.abs() < FARTHEST);
    shape.bounds().filter(|_| is_somewhere)
}

/// How thick a line is drawn, and its dashes, if those are lengths.
pub(super) fn pen(pen: &Pen) -> (f32, &[f32]) {
    let are_lengths = pen.dashes.iter().all(|dash| (0.0..FARTHEST).contains(dash));
    let dashes = Some(pen.dashes.as_slice()).filter(|_| are_lengths);
    let width = if pen.width.is_nan() {
        THINNEST
    } else {
        pen.width.clamp(THINNEST, FARTHEST)
    };
    (width, dashes.unwrap_or_default())
}

/// The nearest size with sides between `least` and `most` points; A4 where a side is no number.
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

/// A length with as few digits as it needs.
pub(super) fn hundredths(length: f32) -> f32 {
    (length * 100.0).round() / 100.0
}

/// The thinnest line, points.
const THINNEST: f32 = 0.1;

/// Farther from the corner of its page nothing is, points.
pub(super) const FARTHEST: f32 = 100_000.0;
