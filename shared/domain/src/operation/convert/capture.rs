//! The window in which pictures of web pages are taken.

use super::ConvertOptions;
use crate::limits::PIXELS;
use crate::operation::decimal::DeviceScaleFactor;
use crate::operation::number::ViewportSide;

/// Most pixels of a side of it.
const SIDE: u32 = 65_535;

/// A window for a page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewport {
    /// Pixels of the page's style sheet across.
    pub width: u32,
    /// Pixels of the page's style sheet down.
    pub height: u32,
    /// Pixels of the picture for each of these, along a side.
    pub scale: f64,
}

impl Viewport {
    /// The window that is asked for: 1,280 × 1,024 unless something else is said.
    #[must_use]
    pub fn of(asked: &ConvertOptions) -> Self {
        Self {
            width: asked.viewport_width.map_or(1_280, ViewportSide::value),
            height: asked.viewport_height.map_or(1_024, ViewportSide::value),
            scale: asked
                .device_scale_factor
                .map_or(1.0, DeviceScaleFactor::value),
        }
    }

    /// Pixels of the picture for so many of the style sheet, along a side.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped, and lengths are not negative"
    )]
    pub fn pixels(&self, length: f64) -> u32 {
        (length * self.scale).round().clamp(1.0, 1e9) as u32
    }
}

/// Whether a picture with these sides in pixels may be made.
#[must_use]
pub fn is_drawable(width: u32, height: u32) -> bool {
    u64::from(width) * u64::from(height) <= u64::from(PIXELS) && width.max(height) <= SIDE
}

/// Why no picture can be taken: the option at fault, and what is wrong.
pub(super) fn fault(asked: &ConvertOptions) -> Option<(&'static str, String)> {
    let viewport = Viewport::of(asked);
    let [width, height] =
        [viewport.width, viewport.height].map(|side| viewport.pixels(side.into()));
    let message =
        "together with `viewportHeight` and `deviceScaleFactor` makes more than 100 megapixels";
    (!is_drawable(width, height)).then(|| ("viewportWidth", message.to_owned()))
}
