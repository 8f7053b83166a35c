//! The browser viewport of screenshots.

use super::ConvertOptions;
use crate::limits::PIXELS;
use crate::operation::decimal::DeviceScaleFactor;
use crate::operation::number::ViewportSide;

/// Maximum side of a screenshot in pixels.
const MAX_SIDE: u32 = 65_535;

/// A browser viewport.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewport {
    /// Width in CSS pixels.
    pub width: u32,
    /// Height in CSS pixels.
    pub height: u32,
    /// Image pixels per CSS pixel, along a side.
    pub scale: f64,
}

impl Viewport {
    /// Returns the requested viewport. Default: 1,280 × 1,024 at scale 1.
    #[must_use]
    pub fn of(options: &ConvertOptions) -> Self {
        Self {
            width: options.viewport_width.map_or(1_280, ViewportSide::value),
            height: options.viewport_height.map_or(1_024, ViewportSide::value),
            scale: options
                .device_scale_factor
                .map_or(1.0, DeviceScaleFactor::value),
        }
    }

    /// Converts a length in CSS pixels to image pixels.
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

/// Whether a screenshot of this size in pixels is within the limits.
#[must_use]
pub fn is_renderable_size(width: u32, height: u32) -> bool {
    u64::from(width) * u64::from(height) <= u64::from(PIXELS) && width.max(height) <= MAX_SIDE
}

/// Returns the option that makes the screenshot too large, with an error message.
pub(super) fn check(options: &ConvertOptions) -> Option<(&'static str, String)> {
    let viewport = Viewport::of(options);
    let [width, height] =
        [viewport.width, viewport.height].map(|side| viewport.pixels(side.into()));
    let message = "with `viewportHeight` and `deviceScaleFactor` exceeds 100 megapixels";
    (!is_renderable_size(width, height)).then(|| ("viewportWidth", message.to_owned()))
}
