//! Encodes rendered pages. Pages without color become grayscale.

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{DynamicImage, ExtendedColorType, GrayImage, ImageEncoder as _, RgbImage};
use imaging::encode::{self, Attributes};
use mozjpeg::{ColorSpace, Compress};
use task::{TaskError, TaskResult};

/// The pixels of a page, without row padding.
pub(super) struct Raster {
    pixels: Vec<u8>,
    width: u32,
    height: u32,
    gray: bool,
}

impl Raster {
    /// Takes RGB rows, which may be padded; `None` if there are too few bytes.
    pub(super) fn new(mut bytes: Vec<u8>, width: u32, height: u32) -> Option<Self> {
        let row = width as usize * 3;
        let stride = bytes.len() / height as usize;
        if stride < row {
            return None;
        }
        if stride > row {
            for line in 0..height as usize {
                bytes.copy_within(line * stride..line * stride + row, line * row);
            }
        }
        bytes.truncate(row * height as usize);
        let gray = is_gray(&bytes);
        if gray {
            bytes = bytes
                .chunks_exact(3)
                .filter_map(<[u8]>::first)
                .copied()
                .collect();
        }
        Some(Self {
            pixels: bytes,
            width,
            height,
            gray,
        })
    }

    /// Encodes as baseline JPEG. Progressive would be a quarter smaller but take eight times as long.
    pub(super) fn jpeg(&self, quality: u8) -> TaskResult<Vec<u8>> {
        let space = match self.gray {
            true => ColorSpace::JCS_GRAYSCALE,
            false => ColorSpace::JCS_RGB,
        };
        let mut encoder = Compress::new(space);
        encoder.set_fastest_defaults();
        encoder.set_optimize_coding(true);
        encoder.set_size(self.width as usize, self.height as usize);
        encoder.set_quality(quality.into());
        let mut started = encoder.start_compress(Vec::new())?;
        started.write_scanlines(&self.pixels)?;
        Ok(started.finish()?)
    }

    /// Encodes as WebP, always with color.
    pub(super) fn webp(self, quality: u8) -> TaskResult<Vec<u8>> {
        let (width, height) = (self.width, self.height);
        let pixels: Option<DynamicImage> = match self.gray {
            true => GrayImage::from_raw(width, height, self.pixels).map(Into::into),
            false => RgbImage::from_raw(width, height, self.pixels).map(Into::into),
        };
        let pixels = pixels.ok_or_else(TaskError::input_corrupt)?;
        encode::webp(&pixels, quality, false, Attributes::default())
    }

    /// Encodes as PNG. Adaptive filtering would take three times as long to save 5 percent on typical pages.
    pub(super) fn png(&self) -> TaskResult<Vec<u8>> {
        let mut png = Vec::new();
        let color = match self.gray {
            true => ExtendedColorType::L8,
            false => ExtendedColorType::Rgb8,
        };
        PngEncoder::new_with_quality(&mut png, CompressionType::Level(2), FilterType::Up)
            .write_image(&self.pixels, self.width, self.height, color)
            .map_err(|error| TaskError::Io(std::io::Error::other(error)))?;
        Ok(png)
    }
}

fn is_gray(pixels: &[u8]) -> bool {
    pixels
        .chunks_exact(3)
        .all(|pixel| matches!(pixel, [red, green, blue] if red == green && green == blue))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_is_dropped_and_a_page_without_color_is_grayscale() {
        let padded = vec![1, 1, 1, 2, 2, 2, 9, 9, 3, 3, 3, 4, 4, 4, 9, 9];
        let raster = Raster::new(padded, 2, 2).unwrap();
        assert_eq!(raster.pixels, [1, 2, 3, 4]);
        let colored = Raster::new(vec![1, 2, 3, 4, 5, 6, 9, 9], 2, 1).unwrap();
        assert_eq!(colored.pixels, [1, 2, 3, 4, 5, 6]);
        assert!(Raster::new(vec![0; 11], 2, 2).is_none());
    }
}
