//! Places on a page, in points from its upper left corner.

use serde::{Deserialize, Serialize};

/// The extent of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Size {
    /// From left to right, points.
    pub width: f32,
    /// From top to bottom, points.
    pub height: f32,
}

/// An upright rectangle; `left` ≤ `right` and `top` ≤ `bottom`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rect {
    /// Points from the page's left edge.
    pub left: f32,
    /// Points from the page's upper edge.
    pub top: f32,
    /// Points from the page's left edge.
    pub right: f32,
    /// Points from the page's upper edge.
    pub bottom: f32,
}

impl Rect {
    /// The rectangle with these two opposite corners.
    #[must_use]
    pub fn between((x, y): (f32, f32), (other_x, other_y): (f32, f32)) -> Self {
        Self {
            left: x.min(other_x),
            top: y.min(other_y),
            right: x.max(other_x),
            bottom: y.max(other_y),
        }
    }

    /// From left to right, points.
    #[must_use]
    pub fn width(&self) -> f32 {
        self.right - self.left
    }

    /// From top to bottom, points.
    #[must_use]
    pub fn height(&self) -> f32 {
        self.bottom - self.top
    }

    /// Halfway from left to right and from top to bottom.
    #[must_use]
    pub fn centre(&self) -> (f32, f32) {
        (
            f32::midpoint(self.left, self.right),
            f32::midpoint(self.top, self.bottom),
        )
    }

    /// The smallest rectangle around both.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// The smallest rectangle around all of them; `None` of none.
    #[must_use]
    pub fn around(all: impl IntoIterator<Item = Self>) -> Option<Self> {
        all.into_iter().reduce(|one, other| one.union(&other))
    }

    /// Whether a point lies within, edges included.
    #[must_use]
    pub fn contains(&self, (x, y): (f32, f32)) -> bool {
        self.left <= x && x <= self.right && self.top <= y && y <= self.bottom
    }

    /// How much of the width both share, points; negative is the gap between them.
    #[must_use]
    pub fn shared_width(&self, other: &Self) -> f32 {
        self.right.min(other.right) - self.left.max(other.left)
    }

    /// How much of the height both share, points; negative is the gap between them.
    #[must_use]
    pub fn shared_height(&self, other: &Self) -> f32 {
        self.bottom.min(other.bottom) - self.top.max(other.top)
    }

    /// Grown by this much on every side.
    #[must_use]
    pub fn grown(&self, by: f32) -> Self {
        Self {
            left: self.left - by,
            top: self.top - by,
            right: self.right + by,
            bottom: self.bottom + by,
        }
    }

    /// What of it lies within another; `None` where nothing does, or where it is nowhere.
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
