//! JPEG: header segments, needed to embed a file unchanged, and strict decoding that detects damage
//! [ITU-T T.81, annex B; Adobe Technical Note 5116].

use std::io::{BufRead, Read as _};

use image::{DynamicImage, GrayImage, RgbImage};
use task::{TaskError, TaskResult};
use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;
use zune_jpeg::errors::DecodeErrors;

/// Fields of the segments before the first scan.
#[derive(Debug, Default)]
pub struct Header {
    /// Width in pixels.
    pub width: u16,
    /// Height in pixels.
    pub height: u16,
    /// Bits per sample.
    pub precision: u8,
    /// Number of components: 1 gray, 3 color, 4 CMYK.
    pub components: u8,
    /// Whether an Adobe APP14 segment is present: Adobe stores CMYK inverted.
    pub adobe: bool,
    /// Horizontal and vertical resolution in pixels per inch, from the JFIF segment.
    pub density: Option<(f32, f32)>,
    /// The EXIF block.
    pub exif: Option<Vec<u8>>,
}

const START_OF_IMAGE: u8 = 0xD8;
const START_OF_SCAN: u8 = 0xDA;
const END_OF_IMAGE: u8 = 0xD9;
const JFIF: u8 = 0xE0;
const EXIF: u8 = 0xE1;
const ADOBE: u8 = 0xEE;

/// Parses the segments up to the first scan.
///
/// # Errors
/// [`TaskError::Document`] if the file is truncated or has no frame header.
pub fn header(mut reader: impl BufRead) -> TaskResult<Header> {
    let mut header = Header::default();
    loop {
        match marker(&mut reader)? {
            START_OF_IMAGE | 0x01 | 0xD0..=0xD7 => {}
            START_OF_SCAN | END_OF_IMAGE => break,
            marker => {
                let segment = segment(&mut reader)?;
                header.apply(marker, &segment);
            }
        }
    }
    match header.components {
        0 => Err(TaskError::input_corrupt()),
        _ => Ok(header),
    }
}

/// Checks that the file continues to its EOI marker: decoders silently fill a truncated image with gray.
///
/// # Errors
/// [`TaskError::Document`] if it does not.
pub fn check_end(mut reader: impl BufRead) -> TaskResult<()> {
    loop {
        match marker(&mut reader)? {
            END_OF_IMAGE => return Ok(()),
            START_OF_IMAGE | 0x01 | 0xD0..=0xD7 => {}
            _ => {
                segment(&mut reader)?;
            }
        }
    }
}

/// Decodes gray or color in strict mode, which fails on any damage; `None` for other color spaces.
pub fn decode_strict(bytes: &[u8]) -> Option<TaskResult<DynamicImage>> {
    const MAX_SIDE: usize = 1 << 16;
    let options = DecoderOptions::default()
        .set_max_width(MAX_SIDE)
        .set_max_height(MAX_SIDE)
        .set_strict_mode(true);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    let damaged = |_: DecodeErrors| TaskError::input_corrupt();
    if let Err(fault) = decoder.decode_headers().map_err(damaged) {
        return Some(Err(fault));
    }
    let space = match decoder.input_colorspace()? {
        ColorSpace::Luma => ColorSpace::Luma,
        ColorSpace::YCbCr | ColorSpace::RGB => ColorSpace::RGB,
        _ => return None,
    };
    decoder.set_options(options.jpeg_set_out_colorspace(space));
    Some(decoder.decode().map_err(damaged).and_then(|samples| {
        let (width, height) = decoder.dimensions().ok_or_else(TaskError::input_corrupt)?;
        image(samples, (width, height), space).ok_or_else(TaskError::input_corrupt)
    }))
}

fn image(samples: Vec<u8>, sides: (usize, usize), space: ColorSpace) -> Option<DynamicImage> {
    let (width, height) = (u32::try_from(sides.0).ok()?, u32::try_from(sides.1).ok()?);
    match space {
        ColorSpace::Luma => GrayImage::from_raw(width, height, samples).map(DynamicImage::from),
        _ => RgbImage::from_raw(width, height, samples).map(DynamicImage::from),
    }
}

fn marker(reader: &mut impl BufRead) -> TaskResult<u8> {
    let mut byte = [0; 1];
    let mut after_fill = false;
    loop {
        reader
            .read_exact(&mut byte)
            .map_err(TaskError::from_read_error)?;
        match byte {
            [0xFF] => after_fill = true,
            [0] => after_fill = false,
            [marker] if after_fill => return Ok(marker),
            _ => {}
        }
    }
}

fn segment(reader: &mut impl BufRead) -> TaskResult<Vec<u8>> {
    let mut length = [0; 2];
    reader
        .read_exact(&mut length)
        .map_err(TaskError::from_read_error)?;
    let length = u16::from_be_bytes(length)
        .checked_sub(2)
        .ok_or_else(TaskError::input_corrupt)?;
    let mut segment = Vec::new();
    reader
        .take(length.into())
        .read_to_end(&mut segment)
        .map_err(TaskError::from_read_error)?;
    Ok(segment)
}

impl Header {
    fn apply(&mut self, marker: u8, segment: &[u8]) {
        match (marker, segment) {
            (0xC0..=0xCF, [precision, h1, h0, w1, w0, components, ..])
                if !matches!(marker, 0xC4 | 0xC8 | 0xCC) =>
            {
                self.precision = *precision;
                self.height = u16::from_be_bytes([*h1, *h0]);
                self.width = u16::from_be_bytes([*w1, *w0]);
                self.components = *components;
            }
            (JFIF, [b'J', b'F', b'I', b'F', 0, _, _, unit, x1, x0, y1, y0, ..]) => {
                let across = f32::from(u16::from_be_bytes([*x1, *x0]));
                let down = f32::from(u16::from_be_bytes([*y1, *y0]));
                self.density = match unit {
                    1 => Some((across, down)),
                    2 => Some((across * 2.54, down * 2.54)),
                    _ => None,
                };
            }
            (EXIF, [b'E', b'x', b'i', b'f', 0, 0, block @ ..]) => self.exif = Some(block.to_vec()),
            (ADOBE, [b'A', b'd', b'o', b'b', b'e', ..]) => self.adobe = true,
            _ => {}
        }
    }
}
