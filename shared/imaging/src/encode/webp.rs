//! WebP, encoded by libwebp: a single image or an animation [WebP Container Specification].

mod libwebp;

use domain::format::Format;
use image::{DynamicImage, RgbaImage};
use task::TaskResult;

use super::{Attributes, check_dimensions};
use crate::transparency;

const RIFF_HEADER: usize = 12;
const EXTENDED_HEADER: usize = 18;

/// Encodes as WebP, with `quality` percent if not lossless. A color profile is written for RGB pixels only, as the format
/// requires.
///
/// # Errors
/// [`TaskError::too_large`] if the dimensions exceed the limits of the format; failures of the encoder.
pub fn webp(
    pixels: &DynamicImage,
    quality: u8,
    lossless: bool,
    attributes: Attributes<'_>,
) -> TaskResult<Vec<u8>> {
    let sides = (pixels.width(), pixels.height());
    let alpha = pixels.color().has_alpha();
    let encoded = encode(pixels, quality, lossless)?;
    let attributes = Attributes {
        profile: attributes.profile.filter(|_| pixels.color().has_color()),
        ..attributes
    };
    let flags = flags(attributes);
    if flags == 0 {
        return Ok(encoded);
    }
    let mut body = extended_header(flags | if alpha { ALPHA } else { 0 }, sides);
    body.extend(profile_chunk(attributes));
    body.extend(image_chunks(&encoded));
    body.extend(metadata_chunks(attributes));
    Ok(riff(&body))
}

/// Returns the VP8X flags of the metadata chunks.
fn flags(attributes: Attributes<'_>) -> u8 {
    let flags = [
        (attributes.profile, PROFILE),
        (attributes.exif(), EXIF),
        (attributes.xmp(), XMP),
    ];
    let given = flags.into_iter().filter(|(content, _)| content.is_some());
    given.fold(0, |all, (_, flag)| all | flag)
}

fn profile_chunk(attributes: Attributes<'_>) -> Vec<u8> {
    let profile = attributes.profile.map(|profile| chunk(*b"ICCP", profile));
    profile.unwrap_or_default()
}

fn metadata_chunks(attributes: Attributes<'_>) -> Vec<u8> {
    let exif = attributes.exif().map(|block| chunk(*b"EXIF", block));
    let xmp = attributes.xmp().map(|packet| chunk(*b"XMP ", packet));
    exif.into_iter().chain(xmp).flatten().collect()
}

fn encode(pixels: &DynamicImage, quality: u8, lossless: bool) -> TaskResult<Vec<u8>> {
    check_dimensions(Format::Webp, (pixels.width(), pixels.height()))?;
    match pixels {
        DynamicImage::ImageRgb8(_) | DynamicImage::ImageRgba8(_) => {
            libwebp::encode(pixels, quality, lossless)
        }
        _ => libwebp::encode(&to_rgb(pixels), quality, lossless),
    }
}

fn to_rgb(pixels: &DynamicImage) -> DynamicImage {
    match pixels.color().has_alpha() {
        true => pixels.to_rgba8().into(),
        false => pixels.to_rgb8().into(),
    }
}

const PROFILE: u8 = 0x20;
const ALPHA: u8 = 0x10;
const EXIF: u8 = 0x08;
const XMP: u8 = 0x04;
const ANIMATION: u8 = 0x02;

/// Returns the VP8X chunk of an extended file.
fn extended_header(flags: u8, (width, height): (u32, u32)) -> Vec<u8> {
    let mut body = vec![flags, 0, 0, 0];
    body.extend(le24(width.saturating_sub(1)));
    body.extend(le24(height.saturating_sub(1)));
    chunk(*b"VP8X", &body)
}

fn le24(number: u32) -> impl Iterator<Item = u8> {
    number.to_le_bytes().into_iter().take(3)
}

fn chunk(name: [u8; 4], content: &[u8]) -> Vec<u8> {
    let mut chunk = name.to_vec();
    chunk.extend(u32::try_from(content.len()).unwrap_or(0).to_le_bytes());
    chunk.extend(content);
    if content.len() % 2 == 1 {
        chunk.push(0);
    }
    chunk
}

/// Returns the chunks of the bitstream, without RIFF and VP8X headers.
fn image_chunks(webp: &[u8]) -> &[u8] {
    let chunks = webp.get(RIFF_HEADER..).unwrap_or_default();
    match chunks.starts_with(b"VP8X") {
        true => chunks.get(EXTENDED_HEADER..).unwrap_or_default(),
        false => chunks,
    }
}

fn riff(body: &[u8]) -> Vec<u8> {
    let mut file = b"RIFF".to_vec();
    let size = u32::try_from(body.len() + 4).unwrap_or(0);
    file.extend(size.to_le_bytes());
    file.extend(b"WEBP");
    file.extend(body);
    file
}

/// An animation writer. Each frame stores the rectangle that differs from the one before.
pub struct AnimatedWebp {
    sides: (u32, u32),
    frames: Vec<u8>,
    last: Option<RgbaImage>,
    lossless: bool,
    quality: u8,
}

impl AnimatedWebp {
    /// Creates a writer without frames.
    pub fn new(sides: (u32, u32), quality: u8, lossless: bool) -> Self {
        Self {
            sides,
            frames: Vec::new(),
            last: None,
            lossless,
            quality,
        }
    }

    /// Adds a frame with its display time.
    ///
    /// # Errors
    /// As [`webp`].
    pub fn add(&mut self, frame: RgbaImage, milliseconds: u32) -> TaskResult<()> {
        const NO_BLENDING: u8 = 0x02;
        // Frame offsets are even.
        let changed = super::gif::changed(self.last.as_ref(), &frame, 2);
        let (x, y, width, height) = changed;
        let part = image::imageops::crop_imm(&frame, x, y, width, height).to_image();
        let encoded = encode(
            &transparency::normalize(part.into()),
            self.quality,
            self.lossless,
        )?;
        let mut content = Vec::new();
        for number in [x / 2, y / 2, width - 1, height - 1, milliseconds] {
            content.extend(le24(number));
        }
        content.push(NO_BLENDING);
        content.extend(image_chunks(&encoded));
        self.frames.extend(chunk(*b"ANMF", &content));
        self.last = Some(frame);
        Ok(())
    }

    /// Returns the file. It plays `loops` times, 0 forever.
    pub fn finish(self, loops: u16, attributes: Attributes<'_>) -> Vec<u8> {
        let mut body = extended_header(ANIMATION | ALPHA | flags(attributes), self.sides);
        body.extend(profile_chunk(attributes));
        let background = [0; 4];
        body.extend(chunk(
            *b"ANIM",
            &[&background[..], &loops.to_le_bytes()].concat(),
        ));
        body.extend(self.frames);
        body.extend(metadata_chunks(attributes));
        riff(&body)
    }
}
