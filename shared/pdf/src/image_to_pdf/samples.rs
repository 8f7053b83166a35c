//! Image samples as PDF stores them: separate color and alpha, big-endian, with PNG predictors and Deflate.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use image::DynamicImage;
use imaging::{is_bilevel, pack_bits};
use lopdf::{Dictionary, Stream, dictionary};
use task::TaskResult;

/// Separate color and alpha samples.
pub(super) struct Planes {
    /// Color samples of one or three channels.
    pub(super) color: Vec<u8>,
    /// Alpha samples, if any pixel is transparent.
    pub(super) alpha: Option<Vec<u8>>,
    /// Number of color channels.
    pub(super) channels: u32,
    /// Bits per color sample: 1, 8 or 16. Alpha samples have at least 8.
    pub(super) bits: u32,
}

impl Planes {
    /// Splits an image. Samples of more than 16 bits are reduced to 16; bilevel images take one bit.
    pub(super) fn of(pixels: DynamicImage) -> Self {
        let kind = pixels.color();
        let channels = if kind.has_color() { 3 } else { 1 };
        let bytes = (kind.bytes_per_pixel() / kind.channel_count()).min(2);
        let width = pixels.width();
        let samples = imaging::to_big_endian(pixels);
        let (color, alpha) = match kind.has_alpha() {
            true => split(&samples, usize::from(channels * bytes), bytes.into()),
            false => (samples, None),
        };
        let (channels, bits) = (channels.into(), u32::from(bytes) * 8);
        match is_bilevel(&color) && channels == 1 && bits == 8 {
            true => Self {
                color: pack_bits(&color, width as usize),
                alpha,
                channels,
                bits: 1,
            },
            false => Self {
                color,
                alpha,
                channels,
                bits,
            },
        }
    }
}

/// Splits pixels of `color` bytes of color and `alpha` bytes of alpha.
fn split(samples: &[u8], color: usize, alpha: usize) -> (Vec<u8>, Option<Vec<u8>>) {
    let mut colors = Vec::with_capacity(samples.len());
    let mut alphas = Vec::with_capacity(samples.len() / 2);
    for pixel in samples.chunks_exact(color + alpha) {
        let (here, transparency) = pixel.split_at_checked(color).unwrap_or_default();
        colors.extend_from_slice(here);
        alphas.extend_from_slice(transparency);
    }
    let opaque = alphas.iter().all(|sample| *sample == u8::MAX);
    (colors, (!opaque).then_some(alphas))
}

/// Creates a stream of samples. `shape` is width, channels and bits per sample.
pub(super) fn deflate(
    mut dict: Dictionary,
    samples: &[u8],
    (width, channels, bits): (u32, u32, u32),
) -> TaskResult<Stream> {
    // Predictors work on bytes, which is useless for packed bits.
    let predicts = bits >= 8;
    let pixel = (channels * bits / 8) as usize;
    let content = match predicts {
        true => predict(samples, width as usize * pixel, pixel),
        false => samples.to_vec(),
    };
    // The highest level takes three times as long on a noisy scan, to save 5 percent.
    let mut deflating = ZlibEncoder::new(Vec::new(), Compression::default());
    deflating.write_all(&content)?;
    let deflated = deflating.finish()?;
    // Tiny images do not shrink and stay uncompressed.
    if deflated.len() >= content.len() {
        return Ok(Stream::new(dict, samples.to_vec()).with_compression(false));
    }
    dict.set("Filter", "FlateDecode");
    if predicts {
        dict.set(
            "DecodeParms",
            dictionary! { "Predictor" => 15, "Colors" => channels, "BitsPerComponent" => bits, "Columns" => width },
        );
    }
    Ok(Stream::new(dict, deflated).with_compression(false))
}

/// Filters each row with the one of three PNG filters that has the smallest sum of magnitudes [PNG, 9.2].
fn predict(samples: &[u8], row: usize, pixel: usize) -> Vec<u8> {
    let mut predicted = Vec::with_capacity(samples.len() + samples.len() / row.max(1));
    let mut above = vec![0; row];
    for line in samples.chunks_exact(row.max(1)) {
        let left = std::iter::repeat_n(&0, pixel).chain(line);
        let upper_left = std::iter::repeat_n(&0, pixel).chain(&above);
        let sub = line
            .iter()
            .zip(left.clone())
            .map(|(here, left)| here.wrapping_sub(*left));
        let up = line
            .iter()
            .zip(&above)
            .map(|(here, above)| here.wrapping_sub(*above));
        let neighbors = left.zip(&above).zip(upper_left);
        let paeth = line
            .iter()
            .zip(neighbors)
            .map(|(here, ((left, above), upper_left))| {
                here.wrapping_sub(paeth(*left, *above, *upper_left))
            });
        let rows: [(u8, Vec<u8>); 3] =
            [(1, sub.collect()), (2, up.collect()), (4, paeth.collect())];
        if let Some((kind, best)) = rows.into_iter().min_by_key(|(_, row)| magnitude(row)) {
            predicted.push(kind);
            predicted.extend(best);
        }
        above.copy_from_slice(line);
    }
    predicted
}

fn magnitude(row: &[u8]) -> u64 {
    row.iter()
        .map(|byte| u64::from(byte.cast_signed().unsigned_abs()))
        .sum()
}

/// The Paeth predictor: the neighbor closest to left + above − upper left.
fn paeth(left: u8, above: u8, upper_left: u8) -> u8 {
    let (a, b, c) = (i16::from(left), i16::from(above), i16::from(upper_left));
    let (to_left, to_above, to_upper_left) = ((b - c).abs(), (a - c).abs(), (a + b - 2 * c).abs());
    if to_left <= to_above && to_left <= to_upper_left {
        left
    } else if to_above <= to_upper_left {
        above
    } else {
        upper_left
    }
}

#[cfg(test)]
mod tests {
    use image::{Rgba, RgbaImage};

    use super::*;

    #[test]
    fn alpha_is_separate_and_only_present_if_needed() {
        let image = RgbaImage::from_fn(2, 1, |x, _| Rgba([1, 2, 3, if x == 0 { 255 } else { 9 }]));
        let planes = Planes::of(image.into());
        assert_eq!(planes.color, [1, 2, 3, 1, 2, 3]);
        assert_eq!(planes.alpha, Some(vec![255, 9]));
        let opaque = RgbaImage::from_pixel(2, 1, Rgba([1, 2, 3, 255]));
        assert_eq!(Planes::of(opaque.into()).alpha, None);
    }

    #[test]
    fn bilevel_images_take_one_bit_per_pixel() {
        let image =
            image::GrayImage::from_fn(9, 2, |x, y| image::Luma([if x == y { 0 } else { 255 }]));
        let planes = Planes::of(image.into());
        assert_eq!((planes.bits, planes.channels), (1, 1));
        assert_eq!(
            planes.color,
            [0b0111_1111, 0b1000_0000, 0b1011_1111, 0b1000_0000]
        );
    }

    #[test]
    fn sixteen_bit_samples_are_big_endian() {
        let image = image::ImageBuffer::from_pixel(1, 1, image::Luma([0x0102_u16]));
        let planes = Planes::of(DynamicImage::ImageLuma16(image));
        assert_eq!((planes.color, planes.bits), (vec![1, 2], 16));
    }
}
