//! Bilevel TIFF in CCITT Group 3, one-dimensional coding [ITU-T T.4; TIFF 6.0, section 11].

use std::convert::Infallible;
use std::io::{Read, Seek, SeekFrom};

use fax::Color;
use fax::decoder::{Group3Decoder, pels};
use image::{DynamicImage, GrayImage};
use task::{TaskError, TaskResult};
use tiff::decoder::Decoder;
use tiff::tags::Tag;

use super::{tag_value, task_error};

/// T4Options; two-dimensional coding and uncompressed mode are not supported.
const T4_OPTIONS: Tag = Tag::Unknown(292);
const UNSUPPORTED_OPTIONS: u32 = 0b11;
const FILL_ORDER: Tag = Tag::Unknown(266);
const LSB_FIRST: u16 = 2;
const BLACK_IS_ZERO: u16 = 1;

/// Decodes the first page.
pub(super) fn decode(decoder: &mut Decoder<impl Read + Seek>) -> TaskResult<DynamicImage> {
    let (width, height) = decoder.dimensions().map_err(task_error)?;
    let options = decoder
        .find_tag_unsigned::<u32>(T4_OPTIONS)
        .map_err(task_error)?;
    if options.unwrap_or(0) & UNSUPPORTED_OPTIONS != 0 {
        return Err(TaskError::unsupported_variant());
    }
    let is_lsb_first = tag_value(decoder, FILL_ORDER)? == Some(LSB_FIRST);
    // The decoder yields white runs; the photometric interpretation maps white to a sample value.
    let (white, black) = match tag_value(decoder, Tag::PhotometricInterpretation)? {
        Some(BLACK_IS_ZERO) => (0, u8::MAX),
        _ => (u8::MAX, 0),
    };
    let mut rows = Rows {
        width: u16::try_from(width).map_err(|_| TaskError::input_corrupt())?,
        pixels: Vec::with_capacity(width as usize * height as usize),
        colors: (white, black),
    };
    let rows_per_strip = rows_per_strip(decoder)?.unwrap_or(height).min(height);
    let mut left = height;
    for strip in strips(decoder)? {
        let mut bytes = strip_bytes(decoder, strip)?;
        if is_lsb_first {
            bytes
                .iter_mut()
                .for_each(|byte| *byte = byte.reverse_bits());
        }
        rows.read(bytes, rows_per_strip.min(left))?;
        left = left.saturating_sub(rows_per_strip);
    }
    let image = GrayImage::from_raw(width, height, rows.pixels);
    image
        .map(DynamicImage::ImageLuma8)
        .ok_or_else(TaskError::input_corrupt)
}

fn rows_per_strip(decoder: &mut Decoder<impl Read + Seek>) -> TaskResult<Option<u32>> {
    decoder
        .find_tag_unsigned(Tag::RowsPerStrip)
        .map_err(task_error)
}

/// Returns offset and byte count of each strip.
fn strips(decoder: &mut Decoder<impl Read + Seek>) -> TaskResult<Vec<(u64, u64)>> {
    let mut numbers = |tag: Tag| {
        let numbers = decoder
            .find_tag_unsigned_vec::<u64>(tag)
            .map_err(task_error)?;
        numbers.ok_or_else(TaskError::unsupported_variant)
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
) -> TaskResult<Vec<u8>> {
    let file = decoder.inner();
    file.seek(SeekFrom::Start(begin))
        .map_err(TaskError::from_read_error)?;
    let mut bytes = Vec::new();
    let read = file.take(length).read_to_end(&mut bytes);
    read.map_err(TaskError::from_read_error)?;
    Ok(bytes)
}

/// Accumulates decoded rows.
struct Rows {
    width: u16,
    pixels: Vec<u8>,
    /// Sample values of white and black runs.
    colors: (u8, u8),
}

impl Rows {
    /// Decodes a strip of `count` rows.
    fn read(&mut self, bytes: Vec<u8>, count: u32) -> TaskResult<()> {
        let bytes = bytes.into_iter().map(Ok::<u8, Infallible>);
        let mut decoder = Group3Decoder::new(bytes).map_err(|_| TaskError::input_corrupt())?;
        for row in 1..=count {
            let is_ended = decoder.advance().is_err();
            // No end-of-line code is required after the last row.
            if is_ended && row < count {
                return Err(TaskError::input_corrupt());
            }
            self.add(decoder.transitions())?;
        }
        Ok(())
    }

    /// Appends a row, whose runs must add up to the width.
    fn add(&mut self, runs: &[u16]) -> TaskResult<()> {
        if runs.last() != Some(&self.width) {
            return Err(TaskError::input_corrupt());
        }
        let (white, black) = self.colors;
        self.pixels
            .extend(pels(runs, self.width).map(|color| match color {
                Color::White => white,
                Color::Black => black,
            }));
        Ok(())
    }
}
