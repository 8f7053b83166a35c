//! Encoders of the output formats.

mod bmp;
mod gif;
mod jpeg;
mod png;
mod tiff;
mod webp;

use domain::format::Format;
use domain::limits::{AVIF_PIXELS, PIXELS, WEBP_SIDE};
use image::DynamicImage;
use task::{TaskError, TaskResult};

pub use self::bmp::bmp;
pub use self::gif::{Gif, exceeds_palette};
pub use self::jpeg::jpeg;
pub use self::png::{Effort, png, recompress_png};
pub use self::tiff::Tiff;
pub use self::webp::{AnimatedWebp, webp};
use super::metadata::Metadata;

/// Maximum size of the EXIF block and of the XMP packet, in bytes.
const MAX_METADATA_BYTES: usize = 16_000_000;

/// Encodes AVIF with `quality` percent and 8 bits per sample; the pixels are treated as sRGB.
///
/// # Errors
/// [`TaskError::Installation`] if the encoder fails.
pub fn avif(pixels: &DynamicImage, quality: u8) -> TaskResult<Vec<u8>> {
    let encoded = avif::encode(pixels, quality);
    encoded.map_err(|error| TaskError::Installation(format!("an image cannot be encoded: {error}")))
}

/// Returns the maximum side of an image in a format, in pixels.
#[must_use]
pub fn max_side(to: Format) -> u32 {
    match to {
        Format::Webp => WEBP_SIDE,
        _ => u32::MAX,
    }
}

/// Checks that an image of these dimensions fits the format and the available memory.
///
/// # Errors
/// [`TaskError::too_large`] if it does not.
pub fn check_dimensions(to: Format, (width, height): (u32, u32)) -> TaskResult<()> {
    let pixels = u64::from(width) * u64::from(height);
    match to {
        _ if pixels > PIXELS.into() => Err(TaskError::too_large(
            "The result would exceed 100 megapixels. Request a smaller width or height.",
        )),
        Format::Avif if pixels > AVIF_PIXELS => Err(TaskError::too_large(
            "AVIF results are limited to 60 megapixels. Scale the image down first.",
        )),
        Format::Webp if width.max(height) > max_side(to) => Err(TaskError::too_large(
            "WebP is limited to 16,383 pixels per side.",
        )),
        _ => Ok(()),
    }
}

/// Color profile, resolution and metadata written with the pixels.
#[derive(Clone, Copy, Debug, Default)]
pub struct Attributes<'a> {
    /// ICC profile of the pixels.
    pub profile: Option<&'a [u8]>,
    /// Horizontal and vertical resolution in pixels per inch.
    pub density: Option<(f32, f32)>,
    /// EXIF and XMP, supported by JPEG, PNG and WebP.
    pub metadata: Option<&'a Metadata>,
}

impl<'a> Attributes<'a> {
    /// The EXIF block.
    fn exif(&self) -> Option<&'a [u8]> {
        self.metadata.and_then(|kept| kept.exif.as_deref())
    }

    /// The XMP packet.
    fn xmp(&self) -> Option<&'a [u8]> {
        self.metadata.and_then(|kept| kept.xmp.as_deref())
    }
}

/// Returns the maximum bytes of EXIF and of XMP in the format: in a JPEG, each is limited to one segment.
pub(crate) fn max_metadata_bytes(to: Format) -> (usize, usize) {
    match to {
        Format::Jpeg => (65_527, 65_504),
        _ => (MAX_METADATA_BYTES, MAX_METADATA_BYTES),
    }
}

const METERS_PER_INCH: f32 = 0.0254;

/// Converts pixels per inch to pixels per meter.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a resolution has few digits"
)]
fn per_meter(per_inch: f32) -> u32 {
    (per_inch / METERS_PER_INCH).round() as u32
}
