//! TIFF pixels that the `image` crate does not decode, or decodes with wrong colors: CMYK with an ICC profile, YCbCr that is
//! not JPEG-compressed, and CCITT Group 3.

mod fax;

use std::io::{Read, Seek};

use image::{DynamicImage, RgbImage};
use task::{TaskError, TaskResult};
use tiff::decoder::{Decoder, DecodingResult, Limits};
use tiff::tags::{CompressionMethod, PlanarConfiguration, Tag};
use tiff::{ColorType, TiffError};

use crate::color;
use crate::ycbcr::to_rgb;

/// Reads width and height of the first page.
///
/// # Errors
/// [`TaskError::Document`] if the first directory cannot be parsed.
pub fn dimensions(reader: impl Read + Seek) -> TaskResult<(u32, u32)> {
    let mut decoder = Decoder::new(reader).map_err(task_error)?;
    decoder.dimensions().map_err(task_error)
}

/// Decodes the first page to sRGB with its ICC profile, or returns `None` if the `image` crate decodes it correctly.
pub(crate) fn decode_unsupported(
    reader: impl Read + Seek,
    profile: Option<&[u8]>,
) -> TaskResult<Option<DynamicImage>> {
    let mut decoder = Decoder::new(reader).map_err(task_error)?;
    // The dimensions were checked before; the sandbox limits memory.
    decoder = decoder.with_limits(Limits::unlimited());
    let compression = tag_value(&mut decoder, Tag::Compression)?;
    let planes = tag_value(&mut decoder, Tag::PlanarConfiguration)?;
    let is_chunky = planes.is_none_or(|planes| planes == PlanarConfiguration::Chunky.to_u16());
    let is = |method: CompressionMethod| compression == Some(method.to_u16());
    match (decoder.colortype(), profile) {
        (Ok(ColorType::Gray(1)), _) if is(CompressionMethod::Fax3) => {
            fax::decode(&mut decoder).map(Some)
        }
        (Ok(ColorType::CMYK(8 | 16)), Some(profile)) if is_chunky => {
            decode_cmyk(&mut decoder, profile)
        }
        // JPEG-compressed pixels are already converted by the JPEG decoder.
        (Ok(ColorType::YCbCr(8)), _) if is_chunky && !is(CompressionMethod::ModernJPEG) => {
            decode_ycbcr(&mut decoder).map(Some)
        }
        _ => Ok(None),
    }
}

/// Converts CMYK by its ICC profile; `None` if the profile is unreadable, so that the `image` crate decodes it.
fn decode_cmyk(
    decoder: &mut Decoder<impl Read + Seek>,
    profile: &[u8],
) -> TaskResult<Option<DynamicImage>> {
    let (width, height) = decoder.dimensions().map_err(task_error)?;
    let cmyk = samples(decoder)?;
    let rgb = color::cmyk_to_srgb(&cmyk, width, profile);
    let rgb = rgb.and_then(|rgb| RgbImage::from_raw(width, height, rgb));
    Ok(rgb.map(DynamicImage::ImageRgb8))
}

/// YCbCr → RGB, full range.
fn decode_ycbcr(decoder: &mut Decoder<impl Read + Seek>) -> TaskResult<DynamicImage> {
    let (width, height) = decoder.dimensions().map_err(task_error)?;
    let mut pixels = samples(decoder)?;
    pixels.chunks_exact_mut(3).for_each(to_rgb);
    let image = RgbImage::from_raw(width, height, pixels).ok_or_else(TaskError::input_corrupt)?;
    Ok(image.into())
}

/// Returns all samples, reduced to 8 bits.
fn samples(decoder: &mut Decoder<impl Read + Seek>) -> TaskResult<Vec<u8>> {
    match decoder.read_image().map_err(task_error)? {
        DecodingResult::U8(samples) => Ok(samples),
        DecodingResult::U16(samples) => {
            let narrow = |sample: u16| u8::try_from((u32::from(sample) + 128) / 257).unwrap_or(255);
            Ok(samples.into_iter().map(narrow).collect())
        }
        _ => Err(TaskError::unsupported_variant()),
    }
}

fn tag_value(decoder: &mut Decoder<impl Read + Seek>, tag: Tag) -> TaskResult<Option<u16>> {
    decoder.find_tag_unsigned(tag).map_err(task_error)
}

fn task_error(error: TiffError) -> TaskError {
    match error {
        TiffError::IoError(error) => TaskError::from_read_error(error),
        TiffError::UnsupportedError(_) => TaskError::unsupported_variant(),
        TiffError::LimitsExceeded => TaskError::too_large("The image is too large to decode."),
        _ => TaskError::input_corrupt(),
    }
}
