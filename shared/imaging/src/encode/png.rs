//! PNG, encoded losslessly by oxipng with the fewest channels and bits that the pixels need.

use image::DynamicImage;
use oxipng::{BitDepth, ColorType, Deflater, Options, RawImage, StripChunks};
use task::{TaskError, TaskResult};

use super::{Attributes, per_meter};

/// Prefix of an XMP chunk: keyword, no compression, no language [ISO 16684-3, 8.2].
const XMP: &[u8] = b"XML:com.adobe.xmp\0\0\0\0\0";

/// Compression effort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Smallest file, within the time budget for the number of pixels.
    Small,
    /// Fast encoding.
    Quick,
}

/// Pixels up to which the default preset applies, about one second per megapixel.
const SMALL: u64 = 16_000_000;
/// Pixels up to which a faster preset applies.
const MEDIUM: u64 = 40_000_000;

/// Encodes as PNG. The pixel values are kept exactly.
///
/// # Errors
/// [`TaskError::Installation`] if the encoder fails.
pub fn png(
    pixels: DynamicImage,
    effort: Effort,
    attributes: Attributes<'_>,
) -> TaskResult<Vec<u8>> {
    let failed = |error| TaskError::Installation(format!("an image cannot be encoded: {error}"));
    let (width, height) = (pixels.width(), pixels.height());
    let planes = pixels.color();
    let color = match (planes.has_color(), planes.has_alpha()) {
        (false, false) => ColorType::Grayscale {
            transparent_shade: None,
        },
        (false, true) => ColorType::GrayscaleAlpha,
        (true, false) => ColorType::RGB {
            transparent_color: None,
        },
        (true, true) => ColorType::RGBA,
    };
    let (depth, samples) = match planes.bytes_per_pixel() / planes.channel_count() {
        1 => (BitDepth::Eight, pixels.into_bytes()),
        _ => (BitDepth::Sixteen, crate::to_big_endian(pixels)),
    };
    let mut raw = RawImage::new(width, height, color, depth, samples).map_err(failed)?;
    if let Some(profile) = attributes.profile {
        raw.add_icc_profile(profile);
    }
    if let Some(density) = attributes.density {
        raw.add_png_chunk(*b"pHYs", phys_chunk(density));
    }
    if let Some(block) = attributes.exif() {
        raw.add_png_chunk(*b"eXIf", block.to_vec());
    }
    if let Some(packet) = attributes.xmp() {
        raw.add_png_chunk(*b"iTXt", [XMP, packet].concat());
    }
    let kept = attributes.metadata.is_some_and(|kept| !kept.is_empty());
    raw.create_optimized_png(&options(effort, (width, height), kept))
        .map_err(failed)
}

/// Recompresses a PNG losslessly, with its metadata if `kept`; `None` if the file is invalid.
pub fn recompress_png(png: &[u8], sides: (u32, u32), kept: bool) -> Option<Vec<u8>> {
    oxipng::optimize_from_memory(png, &options(Effort::Small, sides, kept)).ok()
}

fn options(effort: Effort, (width, height): (u32, u32), kept: bool) -> Options {
    let preset = match (effort, u64::from(width) * u64::from(height)) {
        (Effort::Small, ..=SMALL) => 2,
        (Effort::Small, ..=MEDIUM) => 1,
        _ => 0,
    };
    let options = Options {
        strip: match kept {
            true => StripChunks::None,
            false => StripChunks::Safe,
        },
        ..Options::from_preset(preset)
    };
    match preset {
        // Level 11 takes 1.5 times as long and saves at most 1 %.
        2 => Options {
            deflater: Deflater::Libdeflater { compression: 10 },
            ..options
        },
        _ => options,
    }
}

/// Returns the `pHYs` content: horizontal and vertical pixels per meter [PNG, 11.3.4.3].
fn phys_chunk((across, down): (f32, f32)) -> Vec<u8> {
    const METER: u8 = 1;
    let mut chunk = [across, down]
        .map(|side| per_meter(side).to_be_bytes())
        .concat();
    chunk.push(METER);
    chunk
}
