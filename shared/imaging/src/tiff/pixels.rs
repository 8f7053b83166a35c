//! Pixels of TIFF files that the usual decoder does not read, or not in their true colours: CMYK with a colour profile,
//! luminance with two differences as they are, and CCITT Group 3.

mod fax;

use std::io::{Read, Seek};

use image::{DynamicImage, RgbImage};
use task::{Fault, Outcome};
use tiff::decoder::{Decoder, DecodingResult, Limits};
use tiff::tags::{CompressionMethod, PlanarConfiguration, Tag};
use tiff::{ColorType, TiffError};

use crate::colour;
use crate::ycbcr::to_rgb;

/// Width and height of the first page.
pub fn sides(reader: impl Read + Seek) -> Outcome<(u32, u32)> {
    let mut decoder = Decoder::new(reader).map_err(fault)?;
    decoder.dimensions().map_err(fault)
}

/// Decodes the first page to sRGB, if it is of a kind that the usual decoder does not do right. `profile` is its colour
/// profile.
pub(crate) fn unusual(
    reader: impl Read + Seek,
    profile: Option<&[u8]>,
) -> Outcome<Option<DynamicImage>> {
    let mut decoder = Decoder::new(reader).map_err(fault)?;
    // Sides were checked before; the sandbox bounds memory.
    decoder = decoder.with_limits(Limits::unlimited());
    let compression = number(&mut decoder, Tag::Compression)?;
    let planes = number(&mut decoder, Tag::PlanarConfiguration)?;
    let is_chunky = planes.is_none_or(|planes| planes == PlanarConfiguration::Chunky.to_u16());
    let is = |method: CompressionMethod| compression == Some(method.to_u16());
    match (decoder.colortype(), profile) {
        (Ok(ColorType::Gray(1)), _) if is(CompressionMethod::Fax3) => {
            fax::decode(&mut decoder).map(Some)
        }
        (Ok(ColorType::CMYK(8 | 16)), Some(profile)) if is_chunky => inks(&mut decoder, profile),
        // The decoder of coded pixels has done it already.
        (Ok(ColorType::YCbCr(8)), _) if is_chunky && !is(CompressionMethod::ModernJPEG) => {
            differences(&mut decoder).map(Some)
        }
        _ => Ok(None),
    }
}

/// Whether the profile that cannot be read is all that stands against it: then `None`.
fn inks(decoder: &mut Decoder<impl Read + Seek>, profile: &[u8]) -> Outcome<Option<DynamicImage>> {
    let (width, height) = decoder.dimensions().map_err(fault)?;
    let inks = samples(decoder)?;
    let light = colour::inks_to_srgb(&inks, width, profile);
    let light = light.and_then(|light| RgbImage::from_raw(width, height, light));
    Ok(light.map(DynamicImage::ImageRgb8))
}

/// From luminance and two differences of full range, as the usual coefficients have it.
fn differences(decoder: &mut Decoder<impl Read + Seek>) -> Outcome<DynamicImage> {
    let (width, height) = decoder.dimensions().map_err(fault)?;
    let mut pixels = samples(decoder)?;
    pixels.chunks_exact_mut(3).for_each(to_rgb);
    let image = RgbImage::from_raw(width, height, pixels).ok_or_else(Fault::corrupt)?;
    Ok(image.into())
}

/// All samples, with 8 bits each.
fn samples(decoder: &mut Decoder<impl Read + Seek>) -> Outcome<Vec<u8>> {
    match decoder.read_image().map_err(fault)? {
        DecodingResult::U8(samples) => Ok(samples),
        DecodingResult::U16(samples) => {
            let narrow = |sample: u16| u8::try_from((u32::from(sample) + 128) / 257).unwrap_or(255);
            Ok(samples.into_iter().map(narrow).collect())
        }
        _ => Err(Fault::variant()),
    }
}

fn number(decoder: &mut Decoder<impl Read + Seek>, tag: Tag) -> Outcome<Option<u16>> {
    decoder.find_tag_unsigned(tag).map_err(fault)
}

fn fault(error: TiffError) -> Fault {
    match error {
        TiffError::IoError(error) => Fault::reading(error),
        TiffError::UnsupportedError(_) => Fault::variant(),
        TiffError::LimitsExceeded => Fault::too_large("The image is too large to be decoded."),
        _ => Fault::corrupt(),
    }
}
