//! Decodes images of results with a different library than encoded them.

use std::io::{BufRead, Seek};

use domain::format::Format;
use image::{DynamicImage, GrayImage, RgbImage};
use imaging::UprightImage;
use imaging::metadata::Metadata;
use task::{TaskError, TaskResult};
use zune_bmp::BmpDecoder;
use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;

/// Decodes a result, with its orientation applied.
pub(super) fn decode_upright<R: BufRead + Seek>(
    open: impl Fn() -> TaskResult<R>,
    format: Format,
) -> TaskResult<UprightImage> {
    match format {
        // The `image` crate, which decodes the other formats, encoded it.
        Format::Bmp => Ok(UprightImage {
            pixels: bmp(open()?)?,
            profile: None,
            density: None,
            metadata: Metadata::default(),
            is_damaged: false,
        }),
        _ => UprightImage::read(open, format),
    }
}

/// Decodes a BMP without transparency.
fn bmp(mut file: impl BufRead + Seek) -> TaskResult<DynamicImage> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let mut decoder = BmpDecoder::new_with_options(ZCursor::new(&bytes), unlimited());
    let samples = decoder.decode().map_err(|_| TaskError::input_corrupt())?;
    let side = |side: usize| u32::try_from(side).map_err(|_| TaskError::input_corrupt());
    let (width, height) = decoder.dimensions().ok_or_else(TaskError::input_corrupt)?;
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
    pixels.ok_or_else(TaskError::input_corrupt)
}

/// Options without limits, because dimensions and file size were checked before.
pub(super) fn unlimited() -> DecoderOptions {
    let most = 1 << 16;
    DecoderOptions::default()
        .set_max_width(most)
        .set_max_height(most)
}
