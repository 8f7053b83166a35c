//! TIFF pixels that the `image` crate does not decode, or decodes with wrong colors.

mod fax;
mod layout;
mod rendering;
mod samples;

use std::io::{Read, Seek, SeekFrom};

use image::DynamicImage;
use task::{TaskError, TaskResult};
use tiff::TiffError;
use tiff::decoder::{Decoder, Limits};
use tiff::tags::{PhotometricInterpretation, Tag};

use self::fax::Coding;
use self::layout::PixelLayout;
use self::samples::Samples;
use super::Page;

const PHOTOMETRIC: u16 = 262;

/// Reads width and height of the first page.
///
/// # Errors
/// [`TaskError::Document`] if the first directory cannot be parsed.
pub fn dimensions(reader: impl Read + Seek) -> TaskResult<(u32, u32)> {
    let mut decoder = Decoder::new(reader).map_err(task_error)?;
    decoder.dimensions().map_err(task_error)
}

/// Decodes the first page to sRGB or with its ICC profile, or returns `None` if the `image` crate decodes it correctly.
///
/// The `tiff` crate decodes the samples of grayscale of any depth and number of samples, but not every color space. So each
/// page is presented to it as grayscale, and the samples are interpreted here.
pub(crate) fn decode_unsupported(
    mut reader: impl Read + Seek,
    profile: Option<&[u8]>,
) -> TaskResult<Option<DynamicImage>> {
    const RAW: u16 = PhotometricInterpretation::BlackIsZero.to_u16();
    let first = super::pages(&mut reader, 1)?.pop();
    let first = first.and_then(|first| first.replace(&mut reader, PHOTOMETRIC, RAW));
    let (raw, photometric) = first.ok_or_else(TaskError::input_corrupt)?;
    reader
        .seek(SeekFrom::Start(0))
        .map_err(TaskError::from_read_error)?;
    let mut decoder = Decoder::new(Page::new(reader, raw)).map_err(task_error)?;
    // The dimensions were checked before; the sandbox limits memory.
    decoder = decoder.with_limits(Limits::unlimited());
    let photometric = PhotometricInterpretation::from_u16(photometric)
        .ok_or_else(TaskError::unsupported_variant)?;
    if let Some(coding) = Coding::of(&mut decoder)? {
        let white = match photometric {
            PhotometricInterpretation::BlackIsZero => 0,
            _ => u8::MAX,
        };
        return coding.decode(&mut decoder, white).map(Some);
    }
    let layout = PixelLayout::read(&mut decoder, photometric)?;
    if layout.is_decoded_by_image_crate(profile.is_some()) {
        return Ok(None);
    }
    let palette = match photometric {
        PhotometricInterpretation::RGBPalette => palette(&mut decoder)?,
        _ => Vec::new(),
    };
    let samples = Samples::read(&mut decoder, &layout)?;
    rendering::render(&samples, &layout, &palette, profile).map(Some)
}

/// Returns the color map: all reds, then all greens, then all blues.
fn palette(decoder: &mut Decoder<impl Read + Seek>) -> TaskResult<Vec<u16>> {
    let colors = decoder.find_tag_unsigned_vec(Tag::ColorMap);
    let colors = colors.map_err(task_error)?;
    colors.ok_or_else(TaskError::input_corrupt)
}

fn tag_value(decoder: &mut Decoder<impl Read + Seek>, tag: Tag) -> TaskResult<Option<u16>> {
    decoder.find_tag_unsigned(tag).map_err(task_error)
}

fn first_value(decoder: &mut Decoder<impl Read + Seek>, tag: Tag) -> TaskResult<Option<u16>> {
    let values = decoder.find_tag_unsigned_vec(tag).map_err(task_error)?;
    Ok(values.and_then(|values| values.first().copied()))
}

fn task_error(error: TiffError) -> TaskError {
    match error {
        TiffError::IoError(error) => TaskError::from_read_error(error),
        TiffError::UnsupportedError(_) => TaskError::unsupported_variant(),
        TiffError::LimitsExceeded => TaskError::too_large("The image is too large to decode."),
        _ => TaskError::input_corrupt(),
    }
}
