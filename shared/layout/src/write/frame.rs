//! Where things of a page stand on its slide.

use crate::write::length;
use crate::{Rect, Size};

/// How a page lies on a slide.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub(super) scale: f32,
    left: f32,
    top: f32,
}

/// A place on a slide, in English metric units.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) x: i64,
    pub(super) y: i64,
    pub(super) width: i64,
    pub(super) height: i64,
}

/// Most and least points of a slide's side: 56 inches and one.
const SIDES: (f32, f32) = (72.0, 4_032.0);

/// The nearest size that a slide may have.
pub(super) fn allowed(size: Size) -> Size {
    let (least, most) = SIDES;
    length::size(size, least, most)
}

impl Frame {
    /// A page as large as the slide lets it be, in its middle.
    pub(super) fn between(page: Size, slide: Size) -> Self {
        let scale = (slide.width / page.width.max(1.0)).min(slide.height / page.height.max(1.0));
        Self {
            scale,
            left: (slide.width - page.width * scale) / 2.0,
            top: (slide.height - page.height * scale) / 2.0,
        }
    }

    pub(super) fn place(&self, bounds: Rect) -> Place {
        Place {
            x: units(self.left + bounds.left * self.scale),
            y: units(self.top + bounds.top * self.scale),
            width: units(bounds.width() * self.scale).max(1),
            height: units(bounds.height() * self.scale).max(1),
        }
    }
}

/// English metric units of a length in points.
pub(super) fn units(points: f32) -> i64 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a float that is too large becomes the largest number"
    )]
    let units = (points * 12_700.0).round() as i64;
    units.clamp(-51_206_400, 51_206_400)
}

impl Place {
    /// As the element `tag` of a shape.
    pub(super) fn xml(&self, tag: &str) -> String {
        let Self {
            x,
            y,
            width,
            height,
        } = self;
        format!(
            "<{tag}><a:off x=\"{x}\" y=\"{y}\"/><a:ext cx=\"{width}\" cy=\"{height}\"/></{tag}>"
        )
    }
}
