//! Pixels to bytes in each of the formats.

use image::{DynamicImage, Rgb, RgbImage, RgbaImage};
use mozjpeg::{ColorSpace, Compress};
use oxipng::{BitDepth, ColorType, Options, RawImage, StripChunks};

use crate::fault::{Fault, Outcome};
use crate::picture;

/// Pixels up to which a PNG gets the usual effort, about a second a megapixel.
const SMALL: u64 = 16_000_000;
/// Pixels up to which it gets less.
const MEDIUM: u64 = 40_000_000;

/// Encodes as progressive JPEG. Transparent pixels become white.
pub(super) fn jpeg(pixels: &DynamicImage, quality: u8, profile: Option<&[u8]>) -> Outcome<Vec<u8>> {
    let (space, bytes) = match pixels.color().has_color() || pixels.color().has_alpha() {
        true => (ColorSpace::JCS_RGB, opaque(pixels).into_raw()),
        false => (ColorSpace::JCS_GRAYSCALE, pixels.to_luma8().into_raw()),
    };
    let mut encoder = Compress::new(space);
    encoder.set_size(pixels.width() as usize, pixels.height() as usize);
    encoder.set_quality(quality.into());
    let mut started = encoder.start_compress(Vec::new())?;
    // A profile of grey pixels does not fit three channels.
    if let Some(profile) =
        profile.filter(|_| pixels.color().has_color() || space == ColorSpace::JCS_GRAYSCALE)
    {
        started.write_icc_profile(profile);
    }
    started.write_scanlines(&bytes)?;
    Ok(started.finish()?)
}

fn opaque(pixels: &DynamicImage) -> RgbImage {
    if !pixels.color().has_alpha() {
        return pixels.to_rgb8();
    }
    let source: RgbaImage = pixels.to_rgba8();
    let mut flat = RgbImage::new(source.width(), source.height());
    for (from, to) in source.pixels().zip(flat.pixels_mut()) {
        let [red, green, blue, alpha] = from.0;
        let over_white = |channel: u8| {
            let (channel, alpha) = (u16::from(channel), u16::from(alpha));
            u8::try_from((channel * alpha + 255 * (255 - alpha) + 127) / 255).unwrap_or(255)
        };
        *to = Rgb([red, green, blue].map(over_white));
    }
    flat
}

/// Encodes as PNG. All channels and bits are kept.
pub(super) fn png(pixels: DynamicImage, profile: Option<&[u8]>) -> Outcome<Vec<u8>> {
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
        _ => (BitDepth::Sixteen, picture::high_byte_first(pixels)),
    };
    let mut raw = RawImage::new(width, height, colour, depth, samples).map_err(failed)?;
    if let Some(profile) = profile {
        raw.add_icc_profile(profile);
    }
    raw.create_optimized_png(&effort(width, height))
        .map_err(failed)
}

/// Rewrites a PNG with the same pixels in fewer bytes; `None` if there is any fault in it.
pub(super) fn smaller_png(png: &[u8], (width, height): (u32, u32)) -> Option<Vec<u8>> {
    oxipng::optimize_from_memory(png, &effort(width, height)).ok()
}

/// How hard to try: what an image of so many pixels has time for.
fn effort(width: u32, height: u32) -> Options {
    let preset = match u64::from(width) * u64::from(height) {
        pixels if pixels <= SMALL => 2,
        pixels if pixels <= MEDIUM => 1,
        _ => 0,
    };
    Options {
        strip: StripChunks::Safe,
        ..Options::from_preset(preset)
    }
}

/// Encodes as WebP.
pub(super) fn webp(
    pixels: &DynamicImage,
    quality: u8,
    lossless: bool,
    profile: Option<&[u8]>,
) -> Outcome<Vec<u8>> {
    let failed = |error| Fault::Installation(format!("an image cannot be encoded: {error:?}"));
    let (width, height) = (pixels.width(), pixels.height());
    let side_limit = 16_383;
    if width > side_limit || height > side_limit {
        return Err(Fault::too_large(
            "WebP allows at most 16,383 pixels a side.",
        ));
    }
    let (rgb, rgba);
    let encoder = match pixels.color().has_alpha() {
        true => {
            rgba = pixels.to_rgba8();
            webp::Encoder::from_rgba(rgba.as_raw(), width, height)
        }
        false => {
            rgb = pixels.to_rgb8();
            webp::Encoder::from_rgb(rgb.as_raw(), width, height)
        }
    };
    let encoded = encoder
        .encode_simple(lossless, quality.into())
        .map_err(failed)?;
    Ok(match profile.filter(|_| pixels.color().has_color()) {
        Some(profile) => with_profile(
            &encoded,
            profile,
            (width, height),
            pixels.color().has_alpha(),
        ),
        None => encoded.to_vec(),
    })
}

/// Puts a colour profile before the pixels: header `VP8X`, chunk `ICCP`, then the chunks as they are [WebP container,
/// extended file format]. A file that has such a header already only gains the chunk.
fn with_profile(webp: &[u8], profile: &[u8], (width, height): (u32, u32), alpha: bool) -> Vec<u8> {
    const RIFF_HEADER: usize = 12;
    const EXTENDED_HEADER: usize = 18;
    const PROFILE: u8 = 0x20;
    const ALPHA: u8 = 0x10;
    let chunks = webp.get(RIFF_HEADER..).unwrap_or_default();
    let chunks = match chunks.starts_with(b"VP8X") {
        true => chunks.get(EXTENDED_HEADER..).unwrap_or_default(),
        false => chunks,
    };
    let mut body = b"WEBPVP8X\x0a\0\0\0".to_vec();
    body.extend([PROFILE | if alpha { ALPHA } else { 0 }, 0, 0, 0]);
    for side in [width, height] {
        body.extend(side.saturating_sub(1).to_le_bytes().iter().take(3));
    }
    body.extend(b"ICCP");
    body.extend(u32::try_from(profile.len()).unwrap_or(0).to_le_bytes());
    body.extend(profile);
    if profile.len() % 2 == 1 {
        body.push(0);
    }
    body.extend(chunks);
    let mut file = b"RIFF".to_vec();
    file.extend(u32::try_from(body.len()).unwrap_or(0).to_le_bytes());
    file.extend(body);
    file
}
