//! JPEG files: the header, which is needed to embed one as it is, and a reading that tells damage [ITU-T T.81, annex B; Adobe Technical Note 5116].

use std::io::{BufRead, Read as _};

use image::{DynamicImage, GrayImage, RgbImage};
use task::{Fault, Outcome};
use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;
use zune_jpeg::errors::DecodeErrors;

/// What the segments before the pixels say.
#[derive(Debug, Default)]
pub struct Header {
    /// Width in pixels.
    pub width: u16,
    /// Height in pixels.
    pub height: u16,
    /// Bits a sample.
    pub precision: u8,
    /// Channels: 1 grey, 3 colour, 4 CMYK.
    pub components: u8,
    /// Whether Adobe's segment is there: its writers store CMYK inverted.
    pub adobe: bool,
    /// Pixels an inch across and down, by the JFIF segment.
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

/// Reads the segments up to the first scan.
pub fn header(mut reader: impl BufRead) -> Outcome<Header> {
    let mut header = Header::default();
    loop {
        match marker(&mut reader)? {
            START_OF_IMAGE | 0x01 | 0xD0..=0xD7 => {}
            START_OF_SCAN | END_OF_IMAGE => break,
            marker => {
                let segment = segment(&mut reader)?;
                header.take(marker, &segment);
            }
        }
    }
    match header.components {
        0 => Err(Fault::corrupt()),
        _ => Ok(header),
    }
}

/// Makes sure that a file goes on to its end mark: decoders fill up what was cut off with grey and say nothing.
pub fn check_end(mut reader: impl BufRead) -> Outcome<()> {
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

/// Decodes grey or colours, and fails where anything is not as it should be; `None` of other channels.
pub fn pixels(bytes: &[u8]) -> Option<Outcome<DynamicImage>> {
    const MOST: usize = 1 << 16;
    let options = DecoderOptions::default()
        .set_max_width(MOST)
        .set_max_height(MOST)
        .set_strict_mode(true);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    let damaged = |_: DecodeErrors| Fault::corrupt();
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
        let (width, height) = decoder.dimensions().ok_or_else(Fault::corrupt)?;
        image(samples, (width, height), space).ok_or_else(Fault::corrupt)
    }))
}

fn image(samples: Vec<u8>, sides: (usize, usize), space: ColorSpace) -> Option<DynamicImage> {
    let (width, height) = (u32::try_from(sides.0).ok()?, u32::try_from(sides.1).ok()?);
    match space {
        ColorSpace::Luma => GrayImage::from_raw(width, height, samples).map(DynamicImage::from),
        _ => RgbImage::from_raw(width, height, samples).map(DynamicImage::from),
    }
}

fn marker(reader: &mut impl BufRead) -> Outcome<u8> {
    let mut byte = [0; 1];
    let mut after_fill = false;
    loop {
        reader.read_exact(&mut byte).map_err(Fault::reading)?;
        match byte {
            [0xFF] => after_fill = true,
            [0] => after_fill = false,
            [marker] if after_fill => return Ok(marker),
            _ => {}
        }
    }
}

fn segment(reader: &mut impl BufRead) -> Outcome<Vec<u8>> {
    let mut length = [0; 2];
    reader.read_exact(&mut length).map_err(Fault::reading)?;
    let length = u16::from_be_bytes(length)
        .checked_sub(2)
        .ok_or_else(Fault::corrupt)?;
    let mut segment = Vec::new();
    reader
        .take(length.into())
        .read_to_end(&mut segment)
        .map_err(Fault::reading)?;
    Ok(segment)
}

impl Header {
    fn take(&mut self, marker: u8, segment: &[u8]) {
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
