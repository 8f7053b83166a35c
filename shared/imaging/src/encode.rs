//! Pixels to bytes, in each of the formats.

mod bmp;
mod gif;
mod jpeg;
mod png;
mod tiff;
mod webp;

use domain::format::Format;
use domain::limits::{AVIF_PIXELS, PIXELS, WEBP_SIDE};
use image::DynamicImage;
use task::{Fault, Outcome};

pub use self::bmp::bmp;
pub use self::gif::{Gif, has_more_than_a_palette};
pub use self::jpeg::jpeg;
pub use self::png::{Effort, png, smaller_png};
pub use self::tiff::Tiff;
pub use self::webp::{AnimatedWebp, webp};
use super::metadata::Metadata;

/// Most bytes of either block of metadata that are kept.
const MOST_METADATA: usize = 16_000_000;

/// AVIF with `quality` percent and 8 bits a sample; the pixels count as sRGB.
///
/// # Errors
/// [`Fault::Installation`] if the encoder fails.
pub fn avif(pixels: &DynamicImage, quality: u8) -> Outcome<Vec<u8>> {
    let encoded = avif::encode(pixels, quality);
    encoded.map_err(|error| Fault::Installation(format!("an image cannot be encoded: {error}")))
}

/// Whether an image of these sides is made, and its format holds it, in the memory that there is.
///
/// # Errors
/// That it is too large.
pub fn check_sides(to: Format, (width, height): (u32, u32)) -> Outcome<()> {
    let pixels = u64::from(width) * u64::from(height);
    match to {
        _ if pixels > PIXELS.into() => Err(Fault::too_large(
            "An image is made of at most 100 megapixels. Ask for smaller sides.",
        )),
        Format::Avif if pixels > AVIF_PIXELS => Err(Fault::too_large(
            "AVIF is made of at most 60 megapixels here. Scale the image down first.",
        )),
        Format::Webp if width.max(height) > WEBP_SIDE => Err(Fault::too_large(
            "WebP allows at most 16,383 pixels a side.",
        )),
        _ => Ok(()),
    }
}

/// What a file says beside its pixels.
#[derive(Clone, Copy, Debug, Default)]
pub struct Attributes<'a> {
    /// The colour profile of the pixels.
    pub profile: Option<&'a [u8]>,
    /// Pixels an inch, across and down.
    pub density: Option<(f32, f32)>,
    /// EXIF and XMP, which JPEG, PNG and WebP take.
    pub metadata: Option<&'a Metadata>,
}

impl<'a> Attributes<'a> {
    /// The block of EXIF.
    fn exif(&self) -> Option<&'a [u8]> {
        self.metadata.and_then(|kept| kept.exif.as_deref())
    }

    /// The packet of XMP.
    fn xmp(&self) -> Option<&'a [u8]> {
        self.metadata.and_then(|kept| kept.xmp.as_deref())
    }
}

/// Most bytes of EXIF and of XMP that a format holds: in a JPEG, either is one segment.
pub(crate) fn most_metadata(to: Format) -> (usize, usize) {
    match to {
        Format::Jpeg => (65_527, 65_504),
        _ => (MOST_METADATA, MOST_METADATA),
    }
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
