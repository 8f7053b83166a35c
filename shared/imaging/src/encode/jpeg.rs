//! JPEG, encoded by mozjpeg.

use std::borrow::Cow;

use image::{DynamicImage, RgbImage};
use mozjpeg::{ColorSpace, Compress, Marker, PixelDensity, PixelDensityUnit};
use task::TaskResult;

use super::Attributes;
use crate::transparency;

/// Prefix of an EXIF segment [Exif 2.32, 4.7.2].
const EXIF: &[u8] = b"Exif\0\0";
/// Prefix of an XMP segment [ISO 16684-3, 7.2].
const XMP: &[u8] = b"http://ns.adobe.com/xap/1.0/\0";

/// Encodes as progressive JPEG. Transparency is blended on white.
///
/// # Errors
/// If the encoder fails.
pub fn jpeg(pixels: &DynamicImage, quality: u8, attributes: Attributes<'_>) -> TaskResult<Vec<u8>> {
    let pixels = match pixels {
        DynamicImage::ImageRgb8(_) | DynamicImage::ImageLuma8(_) => Cow::Borrowed(pixels),
        _ => Cow::Owned(transparency::flatten_on_white(pixels.clone())),
    };
    let space = match pixels.color().has_color() {
        true => ColorSpace::JCS_RGB,
        false => ColorSpace::JCS_GRAYSCALE,
    };
    let mut encoder = Compress::new(space);
    encoder.set_size(pixels.width() as usize, pixels.height() as usize);
    encoder.set_quality(quality.into());
    if let DynamicImage::ImageRgb8(pixels) = pixels.as_ref()
        && has_fine_colors(pixels)
    {
        encoder.set_chroma_sampling_pixel_sizes((1, 1), (1, 1));
    }
    if let Some(density) = attributes.density {
        encoder.set_pixel_density(pixel_density(density));
    }
    let mut started = encoder.start_compress(Vec::new())?;
    if let Some(block) = attributes.exif() {
        started.write_marker(Marker::APP(1), &[EXIF, block].concat());
    }
    if let Some(packet) = attributes.xmp() {
        started.write_marker(Marker::APP(1), &[XMP, packet].concat());
    }
    if let Some(profile) = attributes.profile {
        for segment in profile_segments(profile) {
            started.write_marker(Marker::APP(2), &segment);
        }
    }
    started.write_scanlines(pixels.as_bytes())?;
    Ok(started.finish()?)
}

/// Returns whether the colors of some area change from pixel to pixel, as those of thin colored lines do. Chroma subsampling,
/// which stores one color for four pixels, would visibly change such an area; in photographs only the brightness changes as
/// fast.
fn has_fine_colors(pixels: &RgbImage) -> bool {
    const AREA: u32 = 16;
    /// Mean distance of both color differences to their mean in a block of four pixels, in steps of 8 bits.
    const MAX_DISTANCE: f32 = 16.0;
    let chroma = |x: u32, y: u32| {
        let [red, green, blue] = pixels.get_pixel(x, y).0.map(f32::from);
        let luma = 0.299 * red + 0.587 * green + 0.114 * blue;
        [(blue - luma) / 1.772, (red - luma) / 1.402]
    };
    let block = |x: u32, y: u32| {
        let four = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(right, down)| {
            let (x, y) = (x + right, y + down);
            chroma(x.min(pixels.width() - 1), y.min(pixels.height() - 1))
        });
        let mean = |index: fn(&[f32; 2]) -> f32| {
            let mean = four.iter().map(index).sum::<f32>() / 4.0;
            four.iter()
                .map(|pixel| (index(pixel) - mean).abs())
                .sum::<f32>()
                / 4.0
        };
        mean(|[blue, _]| *blue) + mean(|[_, red]| *red)
    };
    let steps = |from: u32, side: u32| (from..side.min(from + AREA)).step_by(2);
    let area = |left: u32, top: u32| {
        let (mut sum, mut count) = (0.0, 0.0);
        for y in steps(top, pixels.height()) {
            for x in steps(left, pixels.width()) {
                // Decoders interpolate colors across blocks, too.
                sum += block(x, y).max(block(x + 1, y + 1));
                count += 1.0;
            }
        }
        sum > count * MAX_DISTANCE
    };
    let mut rows = (0..pixels.height()).step_by(AREA as usize);
    rows.any(|top| {
        let mut columns = (0..pixels.width()).step_by(AREA as usize);
        columns.any(|left| area(left, top))
    })
}

/// Splits an ICC profile into APP2 segments numbered from 1 [ICC.1:2022, B.4]. mozjpeg numbers from 0, which readers reject.
fn profile_segments(profile: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    const MAX_SEGMENT: usize = 65_519;
    let chunks = profile.chunks(MAX_SEGMENT);
    let count = u8::try_from(chunks.len()).unwrap_or(u8::MAX);
    chunks.zip(1..=u8::MAX).map(move |(chunk, number)| {
        let mut segment = b"ICC_PROFILE\0".to_vec();
        segment.extend([number, count]);
        segment.extend(chunk);
        segment
    })
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "at most 10,000"
)]
fn pixel_density((across, down): (f32, f32)) -> PixelDensity {
    PixelDensity {
        unit: PixelDensityUnit::Inches,
        x: across.round() as u16,
        y: down.round() as u16,
    }
}
