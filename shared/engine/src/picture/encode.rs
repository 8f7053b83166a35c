//! Pixels to bytes, in each of the formats.

mod bmp;
mod gif;
mod jpeg;
mod png;
mod tiff;
mod webp;

pub(crate) use self::bmp::bmp;
pub(crate) use self::gif::{Gif, has_more_than_a_palette};
pub(crate) use self::jpeg::jpeg;
pub(crate) use self::png::{Effort, png, smaller_png};
pub(crate) use self::tiff::Tiff;
pub(crate) use self::webp::{AnimatedWebp, webp};

/// What a file says beside its pixels.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Attributes<'a> {
    /// The colour profile of the pixels.
    pub(crate) profile: Option<&'a [u8]>,
    /// Pixels an inch, across and down.
    pub(crate) density: Option<(f32, f32)>,
}

const METRES_AN_INCH: f32 = 0.0254;

/// Pixels a metre.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a resolution has few digits"
)]
fn a_metre(an_inch: f32) -> u32 {
    (an_inch / METRES_AN_INCH).round() as u32
}
