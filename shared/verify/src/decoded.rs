//! Results that are images, decoded by another library than wrote them.

use std::io::{BufRead, Seek};

use domain::format::Format;
use image::{DynamicImage, GrayImage, RgbImage};
use imaging::Upright;
use imaging::metadata::Metadata;
use task::{Fault, Outcome};
use zune_bmp::BmpDecoder;
use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;

/// A result as it is shown.
pub(super) fn shown<R: BufRead + Seek>(
    open: impl Fn() -> Outcome<R>,
    format: Format,
) -> Outcome<Upright> {
    match format {
        // Written by the library that others are read with.
        Format::Bmp => Ok(Upright {
            pixels: bmp(open()?)?,
            profile: None,
            density: None,
            metadata: Metadata::default(),
            is_damaged: false,
        }),
        _ => Upright::read(open, format),
    }
}

/// The pixels of a BMP without transparency.
fn bmp(mut file: impl BufRead + Seek) -> Outcome<DynamicImage> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let mut decoder = BmpDecoder::new_with_options(ZCursor::new(&bytes), unlimited());
    let samples = decoder.decode().map_err(|_| Fault::corrupt())?;
    let side = |side: usize| u32::try_from(side).map_err(|_| Fault::corrupt());
    let (width, height) = decoder.dimensions().ok_or_else(Fault::corrupt)?;
    let (width, height) = (side(width)?, side(height)?);
    let pixels = match decoder.colorspace() {
        Some(ColorSpace::RGB) => {
            RgbImage::from_raw(width, height, samples).map(DynamicImage::ImageRgb8)
        }
        Some(ColorSpace::Luma) => {
            GrayImage::from_raw(width, height, samples).map(DynamicImage::ImageLuma8)
        }
        _ => None,
    };
    pixels.ok_or_else(Fault::corrupt)
}

/// Sides and bytes were checked before.
pub(super) fn unlimited() -> DecoderOptions {
    let most = 1 << 16;
    DecoderOptions::default()
        .set_max_width(most)
        .set_max_height(most)
}
