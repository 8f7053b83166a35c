//! Geometry of a page in points; the origin is the upper left corner.

use serde::{Deserialize, Serialize};

/// The size of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Size {
    /// Width, points.
    pub width: f32,
    /// Height, points.
    pub height: f32,
}

/// An axis-aligned rectangle with `left` ≤ `right` and `top` ≤ `bottom`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rect {
    /// Left edge, points from the left edge of the page.
    pub left: f32,
    /// Upper edge, points from the upper edge of the page.
    pub top: f32,
    /// Right edge, points from the left edge of the page.
    pub right: f32,
    /// Lower edge, points from the upper edge of the page.
    pub bottom: f32,
}

impl Rect {
    /// Creates the rectangle between two opposite corners.
    #[must_use]
    pub fn between((x, y): (f32, f32), (other_x, other_y): (f32, f32)) -> Self {
        Self {
            left: x.min(other_x),
            top: y.min(other_y),
            right: x.max(other_x),
            bottom: y.max(other_y),
        }
    }

    /// Returns the width, points.
    #[must_use]
    pub fn width(&self) -> f32 {
        self.right - self.left
    }

    /// Returns the height, points.
    #[must_use]
    pub fn height(&self) -> f32 {
        self.bottom - self.top
    }

    /// Returns the center point.
    #[must_use]
    pub fn center(&self) -> (f32, f32) {
        (
            f32::midpoint(self.left, self.right),
            f32::midpoint(self.top, self.bottom),
        )
    }

    /// Returns the smallest rectangle that contains both.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// Returns the smallest rectangle that contains all; `None` if there are none.
    #[must_use]
    pub fn around(all: impl IntoIterator<Item = Self>) -> Option<Self> {
        all.into_iter().reduce(|one, other| one.union(&other))
    }

    /// Whether a point is inside, edges included.
    #[must_use]
    pub fn contains(&self, (x, y): (f32, f32)) -> bool {
        self.left <= x && x <= self.right && self.top <= y && y <= self.bottom
    }

    /// Returns the horizontal overlap, points; a negative value is the gap.
    #[must_use]
    pub fn shared_width(&self, other: &Self) -> f32 {
        self.right.min(other.right) - self.left.max(other.left)
    }

    /// Returns the vertical overlap, points; a negative value is the gap.
    #[must_use]
    pub fn shared_height(&self, other: &Self) -> f32 {
        self.bottom.min(other.bottom) - self.top.max(other.top)
    }

    /// Returns the rectangle extended by `by` points on each side.
    #[must_use]
    pub fn grown(&self, by: f32) -> Self {
        Self {
            left: self.left - by,
            top: self.top - by,
            right: self.right + by,
            bottom: self.bottom + by,
        }
    }

    /// Returns the intersection; `None` if it is empty or a coordinate is not a number.
    #[must_use]
    pub fn within(&self, area: &Self) -> Option<Self> {
        let part = Self {
            left: self.left.max(area.left),
            top: self.top.max(area.top),
            right: self.right.min(area.right),
            bottom: self.bottom.min(area.bottom),
        };
        (part.left <= part.right && part.top <= part.bottom).then_some(part)
    }
}
