//! PNG without loss, by oxipng: with as few channels and bits as the pixels need.

use image::DynamicImage;
use oxipng::{BitDepth, ColorType, Deflater, Options, RawImage, StripChunks};
use task::{Fault, Outcome};

use super::{Attributes, a_metre};

/// What stands before a packet of XMP: a keyword, no compression, no language [ISO 16684-3, 8.2].
const XMP: &[u8] = b"XML:com.adobe.xmp\0\0\0\0\0";

/// How hard to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// To have few bytes, as far as an image of so many pixels has time for.
    Small,
    /// To be done soon.
    Quick,
}

/// Pixels up to which a PNG gets the usual effort, about a second a megapixel.
const SMALL: u64 = 16_000_000;
/// Pixels up to which it gets less.
const MEDIUM: u64 = 40_000_000;

/// Encodes as PNG. All channels and bits are kept.
pub fn png(pixels: DynamicImage, effort: Effort, attributes: Attributes<'_>) -> Outcome<Vec<u8>> {
    let failed = |error| Fault::Installation(format!("an image cannot be encoded: {error}"));
    let (width, height) = (pixels.width(), pixels.height());
    let planes = pixels.color();
    let colour = match (planes.has_color(), planes.has_alpha()) {
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
        _ => (BitDepth::Sixteen, crate::high_byte_first(pixels)),
    };
    let mut raw = RawImage::new(width, height, colour, depth, samples).map_err(failed)?;
    if let Some(profile) = attributes.profile {
        raw.add_icc_profile(profile);
    }
    if let Some(density) = attributes.density {
        raw.add_png_chunk(*b"pHYs", physical(density));
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

/// Rewrites a PNG with the same pixels in fewer bytes, with all that it says beside if that is `kept`; `None` if there is
/// any fault in it.
pub fn smaller_png(png: &[u8], sides: (u32, u32), kept: bool) -> Option<Vec<u8>> {
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
        // The next level takes half as long again for at most ten bytes in a thousand.
        2 => Options {
            deflater: Deflater::Libdeflater { compression: 10 },
            ..options
        },
        _ => options,
    }
}

/// Pixels a metre across and down, and that the unit is the metre [PNG, 11.3.4.3].
fn physical((across, down): (f32, f32)) -> Vec<u8> {
    const METRE: u8 = 1;
    let mut chunk = [across, down]
        .map(|side| a_metre(side).to_be_bytes())
        .concat();
    chunk.push(METRE);
    chunk
}
