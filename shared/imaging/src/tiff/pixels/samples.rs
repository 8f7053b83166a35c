//! The samples of a TIFF page as numbers from 0 to 1.

use std::io::{Read, Seek};

use task::{TaskError, TaskResult};
use tiff::decoder::{Decoder, DecodingResult};

use super::layout::PixelLayout;
use super::task_error;

/// The decoded samples of a page, interleaved or in planes.
pub(super) struct Samples {
    data: DecodingResult,
    /// Bits of a sample if a byte has several.
    packed_bits: Option<usize>,
    width: usize,
    /// Samples per pixel of a plane.
    per_pixel: usize,
    /// Elements of `data` in a row and in a plane.
    row: usize,
    plane: usize,
    /// Values that become 0 and 1.
    range: (f64, f64),
}

impl Samples {
    /// Decodes all samples.
    pub(super) fn read(
        decoder: &mut Decoder<impl Read + Seek>,
        layout: &PixelLayout,
    ) -> TaskResult<Self> {
        let (width, height) = (layout.sides.0 as usize, layout.sides.1 as usize);
        let mut data = DecodingResult::U8(Vec::new());
        let found = decoder
            .read_image_to_buffer(&mut data)
            .map_err(task_error)?;
        if data.as_buffer(0).as_bytes().len() < found.complete_len {
            return Err(TaskError::unsupported_variant());
        }
        let per_pixel = if layout.is_planar { 1 } else { layout.samples };
        let packed_bits = (layout.bits < 8).then_some(usize::from(layout.bits));
        let row = match packed_bits {
            Some(bits) => (width * per_pixel * bits).div_ceil(8),
            None => width * per_pixel,
        };
        let mut samples = Self {
            data,
            packed_bits,
            width,
            per_pixel,
            row,
            plane: row * height,
            range: (0.0, 1.0),
        };
        samples.range = samples.range(layout);
        Ok(samples)
    }

    /// Returns a sample of a pixel.
    pub(super) fn at(&self, pixel: usize, sample: usize) -> f32 {
        let (plane, sample) = match self.per_pixel {
            1 => (sample, 0),
            _ => (0, sample),
        };
        let begin = plane * self.plane;
        let number = match self.packed_bits {
            Some(bits) => {
                let column = pixel % self.width * self.per_pixel + sample;
                let byte = begin + pixel / self.width * self.row + column * bits / 8;
                let shift = 8 - bits - column * bits % 8;
                self.number(byte).map(|byte| {
                    #[expect(
                        clippy::cast_possible_truncation,
                        clippy::cast_sign_loss,
                        reason = "a byte"
                    )]
                    let byte = byte as u8;
                    f64::from(byte >> shift & (u8::MAX >> (8 - bits)))
                })
            }
            None => self.number(begin + pixel * self.per_pixel + sample),
        };
        let (low, high) = self.range;
        let share = (number.unwrap_or(low) - low) / (high - low);
        #[expect(clippy::cast_possible_truncation, reason = "from 0 to 1")]
        match share.is_nan() {
            true => 0.0,
            false => share.clamp(0.0, 1.0) as f32,
        }
    }

    /// Returns the values of black and white. Grayscale that is signed, or has floating-point numbers outside 0 to 1, is
    /// measured data without a fixed range, which is mapped to that of the page.
    fn range(&self, layout: &PixelLayout) -> (f64, f64) {
        let full = match &self.data {
            _ if layout.is_float() => 1.0,
            DecodingResult::U8(_) => match self.packed_bits {
                Some(bits) => f64::from(u8::MAX >> (8 - bits)),
                None => f64::from(u8::MAX),
            },
            DecodingResult::I8(_) => f64::from(i8::MAX),
            DecodingResult::U16(_) => f64::from(u16::MAX),
            DecodingResult::I16(_) => f64::from(i16::MAX),
            DecodingResult::U32(_) => f64::from(u32::MAX),
            DecodingResult::I32(_) => f64::from(i32::MAX),
            #[expect(clippy::cast_precision_loss, reason = "more digits than a pixel shows")]
            DecodingResult::U64(_) => u64::MAX as f64,
            #[expect(clippy::cast_precision_loss, reason = "more digits than a pixel shows")]
            _ => i64::MAX as f64,
        };
        if layout.is_unsigned() || layout.samples > 1 {
            return (0.0, full);
        }
        let numbers = (0..self.plane).filter_map(|index| self.number(index));
        let numbers = numbers.filter(|number| number.is_finite());
        let (low, high) = numbers
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), number| {
                (number.min(low), number.max(high))
            });
        let is_standard = layout.is_float() && low >= 0.0 && high <= full;
        match low < high && !is_standard {
            true => (low, high),
            false => (0.0, full),
        }
    }

    /// Returns an element of the data.
    #[expect(clippy::cast_precision_loss, reason = "more digits than a pixel shows")]
    fn number(&self, index: usize) -> Option<f64> {
        match &self.data {
            DecodingResult::U8(data) => data.get(index).map(|number| f64::from(*number)),
            DecodingResult::I8(data) => data.get(index).map(|number| f64::from(*number)),
            DecodingResult::U16(data) => data.get(index).map(|number| f64::from(*number)),
            DecodingResult::I16(data) => data.get(index).map(|number| f64::from(*number)),
            DecodingResult::U32(data) => data.get(index).map(|number| f64::from(*number)),
            DecodingResult::I32(data) => data.get(index).map(|number| f64::from(*number)),
            DecodingResult::U64(data) => data.get(index).map(|number| *number as f64),
            DecodingResult::I64(data) => data.get(index).map(|number| *number as f64),
            DecodingResult::F16(data) => data.get(index).map(|number| number.to_f64()),
            DecodingResult::F32(data) => data.get(index).map(|number| f64::from(*number)),
            DecodingResult::F64(data) => data.get(index).copied(),
        }
    }
}
