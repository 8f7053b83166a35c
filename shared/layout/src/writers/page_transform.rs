//! Maps page coordinates to a slide or a page of another size.

use crate::{Rect, Size};

/// The transform of a page to a slide.
#[derive(Clone, Copy, Default)]
pub(super) struct PageTransform {
    pub(super) scale: f32,
    left: f32,
    top: f32,
}

/// A rectangle in EMU.
#[derive(Clone, Copy)]
pub(super) struct EmuRect {
    pub(super) x: i64,
    pub(super) y: i64,
    pub(super) width: i64,
    pub(super) height: i64,
}

impl PageTransform {
    /// Scales a page to fit the slide, centered.
    pub(super) fn between(page: Size, slide: Size) -> Self {
        let scale = (slide.width / page.width.max(1.0)).min(slide.height / page.height.max(1.0));
        Self {
            scale,
            left: (slide.width - page.width * scale) / 2.0,
            top: (slide.height - page.height * scale) / 2.0,
        }
    }

    /// Transforms a rectangle.
    pub(super) fn rect(&self, bounds: Rect) -> Rect {
        Rect {
            left: self.left + bounds.left * self.scale,
            top: self.top + bounds.top * self.scale,
            right: self.left + bounds.right * self.scale,
            bottom: self.top + bounds.bottom * self.scale,
        }
    }

    pub(super) fn place(&self, bounds: Rect) -> EmuRect {
        EmuRect::of(self.rect(bounds))
    }
}

/// Converts points to EMU.
pub(super) fn units(points: f32) -> i64 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a float that is too large becomes the largest number"
    )]
    let units = (points * 12_700.0).round() as i64;
    units.clamp(-51_206_400, 51_206_400)
}

impl EmuRect {
    pub(super) fn of(bounds: Rect) -> Self {
        Self {
            x: units(bounds.left),
            y: units(bounds.top),
            width: units(bounds.width()).max(1),
            height: units(bounds.height()).max(1),
        }
    }

    /// Returns the same extent at the origin.
    pub(super) fn at_origin(self) -> Self {
        Self { x: 0, y: 0, ..self }
    }

    /// Returns the bounding box of this rectangle rotated about its center, degrees.
    pub(super) fn around(self, angle: f32) -> Self {
        let (sine, cosine) = f64::from(angle).to_radians().sin_cos();
        let (sine, cosine) = (sine.abs(), cosine.abs());
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            reason = "places are some millions of units wide"
        )]
        let extent =
            |along: i64, across: i64| (along as f64 * cosine + across as f64 * sine).round() as i64;
        let (width, height) = (
            extent(self.width, self.height),
            extent(self.height, self.width),
        );
        Self {
            x: self.x + (self.width - width) / 2,
            y: self.y + (self.height - height) / 2,
            width: width.max(1),
            height: height.max(1),
        }
    }

    /// Returns it as the transform element `tag` of a shape.
    pub(super) fn xml(&self, tag: &str) -> String {
        self.turned(0.0, tag)
    }

    /// Returns it as the transform element `tag` of a shape rotated about its center, degrees clockwise.
    pub(super) fn turned(&self, angle: f32, tag: &str) -> String {
        let Self {
            x,
            y,
            width,
            height,
        } = self;
        let turn = match sixtieths(angle) {
            0 => String::new(),
            turn => format!(" rot=\"{turn}\""),
        };
        format!(
            "<{tag}{turn}><a:off x=\"{x}\" y=\"{y}\"/><a:ext cx=\"{width}\" cy=\"{height}\"/></{tag}>"
        )
    }
}

/// Converts degrees to the unit of DrawingML, 1/60,000 degree.
fn sixtieths(angle: f32) -> i64 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "it is between 0 and 21,600,000"
    )]
    let units = (angle * 60_000.0).round() as i64;
    units
}
