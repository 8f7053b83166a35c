//! Bilevel TIFF in CCITT coding: modified Huffman, Group 3 and Group 4 [ITU-T T.4, T.6; TIFF 6.0, sections 10 and 11].

use std::io::{Read, Seek, SeekFrom};

use hayro_ccitt::{DecodeSettings, DecoderContext, EncodingMode};
use image::{DynamicImage, GrayImage};
use task::{TaskError, TaskResult};
use tiff::decoder::Decoder;
use tiff::tags::{CompressionMethod, Tag};

use super::{tag_value, task_error};

const T4_OPTIONS: Tag = Tag::Unknown(292);
const TWO_DIMENSIONAL: u32 = 1;
/// Uncompressed mode, which no encoder is known to use.
const UNCOMPRESSED: u32 = 2;
const FILL_ORDER: Tag = Tag::Unknown(266);
const LSB_FIRST: u16 = 2;

/// How the rows of a strip are coded.
pub(super) struct Coding {
    mode: EncodingMode,
    rows_are_byte_aligned: bool,
    is_lsb_first: bool,
}

impl Coding {
    /// Returns the coding of the first page; `None` if it has none, or one that the `tiff` crate decodes.
    pub(super) fn of(decoder: &mut Decoder<impl Read + Seek>) -> TaskResult<Option<Self>> {
        let compression = tag_value(decoder, Tag::Compression)?;
        let is = |method: CompressionMethod| compression == Some(method.to_u16());
        let options = decoder.find_tag_unsigned::<u32>(T4_OPTIONS);
        let options = options.map_err(task_error)?.unwrap_or(0);
        let is_lsb_first = tag_value(decoder, FILL_ORDER)? == Some(LSB_FIRST);
        let mode = if is(CompressionMethod::Huffman) {
            EncodingMode::Group3_1D
        } else if is(CompressionMethod::Fax3) {
            match options & (TWO_DIMENSIONAL | UNCOMPRESSED) {
                0 => EncodingMode::Group3_1D,
                TWO_DIMENSIONAL => EncodingMode::Group3_2D,
                _ => return Err(TaskError::unsupported_variant()),
            }
        } else if is(CompressionMethod::Fax4) && is_lsb_first {
            EncodingMode::Group4
        } else {
            return Ok(None);
        };
        Ok(Some(Self {
            mode,
            rows_are_byte_aligned: is(CompressionMethod::Huffman),
            is_lsb_first,
        }))
    }

    /// Decodes the first page. White runs become `white`.
    pub(super) fn decode(
        &self,
        decoder: &mut Decoder<impl Read + Seek>,
        white: u8,
    ) -> TaskResult<DynamicImage> {
        let (width, height) = decoder.dimensions().map_err(task_error)?;
        let mut rows = Rows {
            width: width as usize,
            pixels: Vec::with_capacity(width as usize * height as usize),
            white,
        };
        let rows_per_strip = decoder.find_tag_unsigned(Tag::RowsPerStrip);
        let rows_per_strip = rows_per_strip.map_err(task_error)?;
        let rows_per_strip = rows_per_strip.unwrap_or(height).clamp(1, height);
        let mut left = height;
        for strip in strips(decoder)? {
            // Without a number of rows, a strip would be decoded to its end.
            if left == 0 {
                break;
            }
            let mut bytes = strip_bytes(decoder, strip)?;
            if self.is_lsb_first {
                let bytes = bytes.iter_mut();
                bytes.for_each(|byte| *byte = byte.reverse_bits());
            }
            let mut context = DecoderContext::new(DecodeSettings {
                columns: width,
                rows: rows_per_strip.min(left),
                end_of_block: true,
                end_of_line: false,
                rows_are_byte_aligned: self.rows_are_byte_aligned,
                encoding: self.mode,
                strict: true,
            });
            let decoded = hayro_ccitt::decode(&bytes, &mut rows, &mut context);
            decoded.map_err(|_| TaskError::input_corrupt())?;
            left = left.saturating_sub(rows_per_strip);
        }
        if rows.pixels.len() != width as usize * height as usize {
            return Err(TaskError::input_corrupt());
        }
        let image = GrayImage::from_raw(width, height, rows.pixels);
        let image = image.map(DynamicImage::ImageLuma8);
        image.ok_or_else(TaskError::input_corrupt)
    }
}

/// Returns offset and byte count of each strip.
fn strips(decoder: &mut Decoder<impl Read + Seek>) -> TaskResult<Vec<(u64, u64)>> {
    let mut numbers = |tag: Tag| {
        let numbers = decoder.find_tag_unsigned_vec::<u64>(tag);
        let numbers = numbers.map_err(task_error)?;
        numbers.ok_or_else(TaskError::unsupported_variant)
    };
    let begins = numbers(Tag::StripOffsets)?.into_iter();
    Ok(begins.zip(numbers(Tag::StripByteCounts)?).collect())
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
    width: usize,
    pixels: Vec<u8>,
    /// Sample value of white runs.
    white: u8,
}

impl hayro_ccitt::Decoder for Rows {
    fn push_row(&mut self, changes: &[u32]) {
        let begin = self.pixels.len();
        let mut color = self.white;
        for change in changes {
            self.pixels.resize(begin + *change as usize, color);
            color = !color;
        }
        self.pixels.resize(begin + self.width, color);
    }
}
