//! TIFF without loss: one image a page, deflated in strips [TIFF 6.0; Adobe Photoshop TIFF Technical Notes for Deflate].

use std::io::{Seek, SeekFrom, Write};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use image::DynamicImage;
use task::{Fault, Outcome};

use super::Attributes;
use crate::bilevel::{is_black_and_white, pack};

/// Bytes of a strip before it is deflated, about.
const STRIP: usize = 256 * 1024;

const SHORT: u16 = 3;
const LONG: u16 = 4;
const RATIONAL: u16 = 5;
const UNDEFINED: u16 = 7;

/// A file in the making.
pub struct Tiff<W: Write + Seek> {
    out: W,
    /// Where the offset of the next page belongs.
    link: u64,
}

/// How the samples of a page are stored.
struct Layout {
    /// Width and height.
    sides: (u32, u32),
    /// Samples a pixel, transparency included.
    channels: u32,
    /// Bits a sample: 1, 8 or 16.
    bits: u32,
    /// Whether there is colour.
    has_colour: bool,
    /// Whether the last sample is transparency.
    has_alpha: bool,
}

impl<W: Write + Seek> Tiff<W> {
    /// Begins a file.
    pub fn new(mut out: W) -> Outcome<Self> {
        out.write_all(b"II*\0\0\0\0\0")?;
        Ok(Self { out, link: 4 })
    }

    /// Adds a page. Samples of at most 16 bits are kept; black and white take a bit.
    pub fn add(&mut self, pixels: &DynamicImage, attributes: Attributes<'_>) -> Outcome<()> {
        let layout = Layout::of(pixels);
        let strips = self.strips(pixels, &layout)?;
        let profile = attributes
            .profile
            .map(|profile| self.put(profile))
            .transpose()?;
        let mut tags = layout.tags();
        let rows = layout.rows_a_strip();
        let (offsets, sizes): (Vec<u32>, Vec<u32>) = strips.into_iter().unzip();
        tags.push(self.longs(273, &offsets)?);
        tags.push(Tag::long(278, rows));
        tags.push(self.longs(279, &sizes)?);
        tags.push(self.shorts(258, &vec![layout.bits; layout.channels as usize])?);
        if let Some((across, down)) = attributes.density {
            const INCH: u32 = 2;
            for (id, density) in [(282, across), (283, down)] {
                let offset = self.put(&fraction(density))?;
                tags.push(Tag::new(id, RATIONAL, 1, offset));
            }
            tags.push(Tag::short(296, INCH));
        }
        if let (Some(offset), Some(profile)) = (profile, attributes.profile) {
            tags.push(Tag::new(34675, UNDEFINED, length(profile.len())?, offset));
        }
        self.directory(tags)
    }

    /// Ends the file.
    pub fn finish(mut self) -> Outcome<()> {
        Ok(self.out.flush()?)
    }

    /// Where each strip begins, and its size.
    fn strips(&mut self, pixels: &DynamicImage, layout: &Layout) -> Outcome<Vec<(u32, u32)>> {
        let row = pixels.as_bytes().len() / layout.sides.1.max(1) as usize;
        let rows = layout.rows_a_strip() as usize;
        let mut strips = Vec::new();
        for strip in pixels.as_bytes().chunks((rows * row).max(1)) {
            let deflated = deflate(&layout.stored(strip))?;
            strips.push((self.put(&deflated)?, length(deflated.len())?));
        }
        Ok(strips)
    }

    /// Writes bytes at the next even offset.
    fn put(&mut self, bytes: &[u8]) -> Outcome<u32> {
        let mut offset = self.out.stream_position()?;
        if offset % 2 == 1 {
            self.out.write_all(&[0])?;
            offset += 1;
        }
        self.out.write_all(bytes)?;
        u32::try_from(offset).map_err(|_| too_large())
    }

    fn longs(&mut self, id: u16, numbers: &[u32]) -> Outcome<Tag> {
        match numbers {
            [number] => Ok(Tag::long(id, *number)),
            numbers => {
                let bytes: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
                Ok(Tag::new(
                    id,
                    LONG,
                    length(numbers.len())?,
                    self.put(&bytes)?,
                ))
            }
        }
    }

    fn shorts(&mut self, id: u16, numbers: &[u32]) -> Outcome<Tag> {
        let count = length(numbers.len())?;
        let bytes: Vec<u8> = numbers
            .iter()
            .flat_map(|number| number.to_le_bytes().into_iter().take(2))
            .collect();
        let value = match *bytes {
            [a, b] => u32::from_le_bytes([a, b, 0, 0]),
            [a, b, c, d] => u32::from_le_bytes([a, b, c, d]),
            _ => self.put(&bytes)?,
        };
        Ok(Tag::new(id, SHORT, count, value))
    }

    /// Writes a page's tags, in order, and links the page to the one before.
    fn directory(&mut self, mut tags: Vec<Tag>) -> Outcome<()> {
        tags.sort_by_key(|tag| tag.id);
        let mut bytes = u16::try_from(tags.len())
            .unwrap_or(0)
            .to_le_bytes()
            .to_vec();
        for tag in &tags {
            bytes.extend(tag.id.to_le_bytes());
            bytes.extend(tag.kind.to_le_bytes());
            bytes.extend(tag.count.to_le_bytes());
            bytes.extend(tag.value.to_le_bytes());
        }
        let next = bytes.len() as u64;
        bytes.extend([0; 4]);
        let offset = self.put(&bytes)?;
        self.out.seek(SeekFrom::Start(self.link))?;
        self.out.write_all(&offset.to_le_bytes())?;
        self.out.seek(SeekFrom::End(0))?;
        self.link = u64::from(offset) + next;
        Ok(())
    }
}

impl Layout {
    fn of(pixels: &DynamicImage) -> Self {
        let kind = pixels.color();
        let channels = u32::from(kind.channel_count());
        let bits = u32::from(kind.bytes_per_pixel()) * 8 / channels;
        let is_bilevel = channels == 1 && bits == 8 && is_black_and_white(pixels.as_bytes());
        Self {
            sides: (pixels.width(), pixels.height()),
            channels,
            bits: if is_bilevel { 1 } else { bits },
            has_colour: kind.has_color(),
            has_alpha: kind.has_alpha(),
        }
    }

    fn rows_a_strip(&self) -> u32 {
        let row = self.sides.0 as usize * self.channels as usize * self.bits.div_ceil(8) as usize;
        let rows = u32::try_from(STRIP / row.max(1)).unwrap_or(u32::MAX);
        rows.clamp(1, self.sides.1.max(1))
    }

    /// Samples as they are stored: packed, or as differences from the pixel to the left.
    fn stored(&self, samples: &[u8]) -> Vec<u8> {
        let width = self.sides.0 as usize;
        let channels = self.channels as usize;
        match self.bits {
            1 => pack(samples, width),
            8 => {
                let mut stored = samples.to_vec();
                for row in stored.chunks_mut(width * channels) {
                    for index in (channels..row.len()).rev() {
                        let left = row.get(index - channels).copied().unwrap_or(0);
                        if let Some(sample) = row.get_mut(index) {
                            *sample = sample.wrapping_sub(left);
                        }
                    }
                }
                stored
            }
            _ => wide_differences(samples, width, channels),
        }
    }

    fn tags(&self) -> Vec<Tag> {
        const DEFLATE: u32 = 8;
        const BLACK_IS_ZERO: u32 = 1;
        const RGB: u32 = 2;
        const HORIZONTAL: u32 = 2;
        const UNASSOCIATED: u32 = 2;
        let mut tags = vec![
            Tag::long(256, self.sides.0),
            Tag::long(257, self.sides.1),
            Tag::short(259, DEFLATE),
            Tag::short(262, if self.has_colour { RGB } else { BLACK_IS_ZERO }),
            Tag::short(277, self.channels),
        ];
        if self.bits > 1 {
            tags.push(Tag::short(317, HORIZONTAL));
        }
        if self.has_alpha {
            tags.push(Tag::short(338, UNASSOCIATED));
        }
        tags
    }
}

/// Differences of samples of 16 bits from the pixel to the left, low byte first.
fn wide_differences(samples: &[u8], width: usize, channels: usize) -> Vec<u8> {
    let mut stored = Vec::with_capacity(samples.len());
    for row in samples.chunks(width * channels * 2) {
        let number = |pair: &[u8]| u16::from_ne_bytes(pair.try_into().unwrap_or_default());
        let numbers = || row.chunks_exact(2).map(number);
        let left = std::iter::repeat_n(0, channels).chain(numbers());
        for (sample, left) in numbers().zip(left) {
            stored.extend(sample.wrapping_sub(left).to_le_bytes());
        }
    }
    stored
}

struct Tag {
    id: u16,
    kind: u16,
    count: u32,
    value: u32,
}

impl Tag {
    fn new(id: u16, kind: u16, count: u32, value: u32) -> Self {
        Self {
            id,
            kind,
            count,
            value,
        }
    }

    fn short(id: u16, value: u32) -> Self {
        Self::new(id, SHORT, 1, value)
    }

    fn long(id: u16, value: u32) -> Self {
        Self::new(id, LONG, 1, value)
    }
}

/// A resolution as numerator and denominator.
fn fraction(density: f32) -> Vec<u8> {
    const PARTS: f32 = 1000.0;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "at most 10,000"
    )]
    let numerator = (density * PARTS).round() as u32;
    [numerator, 1000].map(u32::to_le_bytes).concat()
}

fn deflate(bytes: &[u8]) -> Outcome<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}

fn length(length: usize) -> Outcome<u32> {
    u32::try_from(length).map_err(|_| too_large())
}

fn too_large() -> Fault {
    Fault::document(
        domain::job::JobErrorCode::OutputTooLarge,
        "The result is larger than TIFF allows.",
    )
}
