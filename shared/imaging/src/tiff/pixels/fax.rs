//! Black and white as fax machines send it: CCITT Group 3, each row by itself [ITU-T T.4; TIFF 6.0, section 11].

use std::convert::Infallible;
use std::io::{Read, Seek, SeekFrom};

use fax::Color;
use fax::decoder::{Group3Decoder, pels};
use image::{DynamicImage, GrayImage};
use task::{Fault, Outcome};
use tiff::decoder::Decoder;
use tiff::tags::Tag;

use super::{fault, number};

/// What rows are coded by: two dimensions, or nothing at all, where a bit is set.
const OPTIONS: Tag = Tag::Unknown(292);
const NOT_EACH_BY_ITSELF: u32 = 0b11;
const FILL_ORDER: Tag = Tag::Unknown(266);
const LOW_BIT_FIRST: u16 = 2;
const BLACK_IS_ZERO: u16 = 1;

/// Decodes the first page.
pub(super) fn decode(decoder: &mut Decoder<impl Read + Seek>) -> Outcome<DynamicImage> {
    let (width, height) = decoder.dimensions().map_err(fault)?;
    let options = decoder.find_tag_unsigned::<u32>(OPTIONS).map_err(fault)?;
    if options.unwrap_or(0) & NOT_EACH_BY_ITSELF != 0 {
        return Err(Fault::variant());
    }
    let reversed = number(decoder, FILL_ORDER)? == Some(LOW_BIT_FIRST);
    // A run of white is stored as zeros, whatever these mean.
    let (white, black) = match number(decoder, Tag::PhotometricInterpretation)? {
        Some(BLACK_IS_ZERO) => (0, u8::MAX),
        _ => (u8::MAX, 0),
    };
    let mut rows = Rows {
        width: u16::try_from(width).map_err(|_| Fault::corrupt())?,
        pixels: Vec::with_capacity(width as usize * height as usize),
        colours: (white, black),
    };
    let at_once = number_of_rows(decoder)?.unwrap_or(height).min(height);
    let mut left = height;
    for strip in strips(decoder)? {
        let mut bytes = strip_bytes(decoder, strip)?;
        if reversed {
            bytes
                .iter_mut()
                .for_each(|byte| *byte = byte.reverse_bits());
        }
        rows.read(bytes, at_once.min(left))?;
        left = left.saturating_sub(at_once);
    }
    let image = GrayImage::from_raw(width, height, rows.pixels);
    image
        .map(DynamicImage::ImageLuma8)
        .ok_or_else(Fault::corrupt)
}

fn number_of_rows(decoder: &mut Decoder<impl Read + Seek>) -> Outcome<Option<u32>> {
    decoder.find_tag_unsigned(Tag::RowsPerStrip).map_err(fault)
}

/// Where strips begin, and how many bytes they take.
fn strips(decoder: &mut Decoder<impl Read + Seek>) -> Outcome<Vec<(u64, u64)>> {
    let mut numbers = |tag: Tag| {
        let numbers = decoder.find_tag_unsigned_vec::<u64>(tag).map_err(fault)?;
        numbers.ok_or_else(Fault::variant)
    };
    let begins = numbers(Tag::StripOffsets)?;
    Ok(begins
        .into_iter()
        .zip(numbers(Tag::StripByteCounts)?)
        .collect())
}

fn strip_bytes(
    decoder: &mut Decoder<impl Read + Seek>,
    (begin, length): (u64, u64),
) -> Outcome<Vec<u8>> {
    let file = decoder.inner();
    file.seek(SeekFrom::Start(begin)).map_err(Fault::reading)?;
    let mut bytes = Vec::new();
    let read = file.take(length).read_to_end(&mut bytes);
    read.map_err(Fault::reading)?;
    Ok(bytes)
}

/// The rows so far.
struct Rows {
    width: u16,
    pixels: Vec<u8>,
    /// What white and black runs are.
    colours: (u8, u8),
}

impl Rows {
    /// Reads a strip of so many rows.
    fn read(&mut self, bytes: Vec<u8>, count: u32) -> Outcome<()> {
        let bytes = bytes.into_iter().map(Ok::<u8, Infallible>);
        let mut decoder = Group3Decoder::new(bytes).map_err(|_| Fault::corrupt())?;
        for row in 1..=count {
            let is_ended = decoder.advance().is_err();
            // Nothing has to stand behind the last one.
            if is_ended && row < count {
                return Err(Fault::corrupt());
            }
            self.add(decoder.transitions())?;
        }
        Ok(())
    }

    /// A row is as long as its runs are together: else it is damaged.
    fn add(&mut self, runs: &[u16]) -> Outcome<()> {
        if runs.last() != Some(&self.width) {
            return Err(Fault::corrupt());
        }
        let (white, black) = self.colours;
        self.pixels
            .extend(pels(runs, self.width).map(|colour| match colour {
                Color::White => white,
                Color::Black => black,
            }));
        Ok(())
    }
}
