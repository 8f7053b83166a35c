//! Lengths that can be written: a broken document may have any number for one, and none that is a number.

use crate::{Rect, Size};

/// Where something stands, if that is a place.
pub(super) fn place(bounds: Option<Rect>) -> Option<Rect> {
    bounds.filter(|bounds| {
        let sides = [bounds.left, bounds.top, bounds.right, bounds.bottom];
        sides.iter().all(|side| side.abs() < FARTHEST)
    })
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

/// Farther from the corner of its page nothing is, points.
pub(super) const FARTHEST: f32 = 100_000.0;
