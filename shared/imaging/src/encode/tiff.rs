//! Lossless TIFF writer: one image per page, Deflate-compressed strips
//! [TIFF 6.0; Adobe Photoshop TIFF Technical Notes for Deflate].

use std::io::{Seek, Write};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use image::DynamicImage;
use task::{TaskError, TaskResult};
use tiff::encoder::{DirectoryEncoder, Rational, TiffEncoder, TiffKindStandard};
use tiff::tags::{
    CompressionMethod, ExtraSamples, PhotometricInterpretation, Predictor, ResolutionUnit, Tag,
    Type,
};
use tiff::{Directory, TiffError, TiffResult};

use super::Attributes;
use crate::bilevel::{is_bilevel, pack_bits};

/// Approximate strip size before compression, in bytes.
const STRIP: usize = 256 * 1024;

type Page<'a, W> = DirectoryEncoder<'a, W, TiffKindStandard>;

/// A multi-page TIFF writer. The output needs no buffering: strips are written whole, and a page is complete when
/// [`Tiff::add`] returns.
pub struct Tiff<W: Write + Seek> {
    encoder: TiffEncoder<W>,
}

/// Sample format of a page.
struct Layout {
    width: u32,
    height: u32,
    /// Samples per pixel, including alpha.
    channels: u16,
    /// Bits per sample: 1, 8 or 16.
    bits: u16,
    has_color: bool,
    has_alpha: bool,
}

impl<W: Write + Seek> Tiff<W> {
    /// Starts a file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn new(out: W) -> TaskResult<Self> {
        let encoder = TiffEncoder::new(out).map_err(task_error)?;
        Ok(Self { encoder })
    }

    /// Adds a page. Samples of at most 16 bits are kept; bilevel images are stored with one bit per pixel.
    ///
    /// # Errors
    /// `output_too_large` if the file exceeds the 4 GB that TIFF allows; errors of writing.
    pub fn add(&mut self, pixels: &DynamicImage, attributes: Attributes<'_>) -> TaskResult<()> {
        let mut page = self.encoder.image_directory().map_err(task_error)?;
        let layout = Layout::of(pixels);
        layout
            .write(&mut page, pixels.as_bytes())
            .and_then(|()| write_attributes(&mut page, attributes))
            .and_then(|()| page.finish())
            .map_err(task_error)
    }
}

impl Layout {
    fn of(pixels: &DynamicImage) -> Self {
        let kind = pixels.color();
        let bits = kind.bits_per_pixel() / u16::from(kind.channel_count());
        let is_bilevel = kind.channel_count() == 1 && bits == 8 && is_bilevel(pixels.as_bytes());
        Self {
            width: pixels.width(),
            height: pixels.height(),
            channels: kind.channel_count().into(),
            bits: if is_bilevel { 1 } else { bits },
            has_color: kind.has_color(),
            has_alpha: kind.has_alpha(),
        }
    }

    /// Writes the strips and the tags needed to decode them.
    fn write<W: Write + Seek>(&self, page: &mut Page<'_, W>, samples: &[u8]) -> TiffResult<()> {
        let row = samples.len() / (self.height.max(1) as usize);
        let rows = (STRIP / row.max(1)).clamp(1, self.height.max(1) as usize);
        let (mut offsets, mut sizes) = (Vec::<u32>::new(), Vec::<u32>::new());
        for strip in samples.chunks((rows * row).max(1)) {
            let deflated = deflate(&self.stored(strip))?;
            offsets.push(page.write_data(deflated.as_slice())?.try_into()?);
            pad(page, &deflated)?;
            sizes.push(deflated.len().try_into()?);
        }
        let photometric = match self.has_color {
            true => PhotometricInterpretation::RGB,
            false => PhotometricInterpretation::BlackIsZero,
        };
        page.write_tag(Tag::ImageWidth, self.width)?;
        page.write_tag(Tag::ImageLength, self.height)?;
        page.write_tag(
            Tag::BitsPerSample,
            vec![self.bits; self.channels.into()].as_slice(),
        )?;
        page.write_tag(Tag::Compression, CompressionMethod::Deflate)?;
        page.write_tag(Tag::PhotometricInterpretation, photometric)?;
        page.write_tag(Tag::StripOffsets, offsets.as_slice())?;
        page.write_tag(Tag::SamplesPerPixel, self.channels)?;
        page.write_tag(Tag::RowsPerStrip, u32::try_from(rows)?)?;
        page.write_tag(Tag::StripByteCounts, sizes.as_slice())?;
        if self.bits > 1 {
            page.write_tag(Tag::Predictor, Predictor::Horizontal)?;
        }
        if self.has_alpha {
            page.write_tag(
                Tag::ExtraSamples,
                [ExtraSamples::UnassociatedAlpha].as_slice(),
            )?;
        }
        Ok(())
    }

    /// Encodes samples as stored: packed bits, or differences by the horizontal predictor.
    fn stored(&self, samples: &[u8]) -> Vec<u8> {
        let channels = usize::from(self.channels);
        let width = self.width as usize * channels;
        match self.bits {
            1 => pack_bits(samples, width),
            8 => predict(samples, width, channels, u8::wrapping_sub),
            _ => {
                let samples = samples.chunks_exact(2);
                let samples: Vec<u16> = samples
                    .map(|pair| u16::from_ne_bytes(pair.try_into().unwrap_or_default()))
                    .collect();
                let stored = predict(&samples, width, channels, u16::wrapping_sub);
                stored.into_iter().flat_map(u16::to_ne_bytes).collect()
            }
        }
    }
}

/// Horizontal predictor; the `tiff` crate implements it only for RGB(A) and gray without alpha.
fn predict<T: Copy + Default>(
    samples: &[T],
    width: usize,
    channels: usize,
    minus: fn(T, T) -> T,
) -> Vec<T> {
    let mut stored = Vec::with_capacity(samples.len());
    for row in samples.chunks(width.max(1)) {
        let left = std::iter::repeat_n(T::default(), channels).chain(row.iter().copied());
        stored.extend(
            row.iter()
                .zip(left)
                .map(|(sample, left)| minus(*sample, left)),
        );
    }
    stored
}

/// Writes resolution and color profile.
fn write_attributes<W: Write + Seek>(
    page: &mut Page<'_, W>,
    attributes: Attributes<'_>,
) -> TiffResult<()> {
    if let Some((across, down)) = attributes.density {
        page.write_tag(Tag::XResolution, rational(across))?;
        page.write_tag(Tag::YResolution, rational(down))?;
        page.write_tag(Tag::ResolutionUnit, ResolutionUnit::Inch)?;
    }
    if let Some(profile) = attributes.profile {
        let entry = page.write_entry_bytes(Type::UNDEFINED, profile)?;
        pad(page, profile)?;
        let mut directory = Directory::empty();
        directory.extend([(Tag::IccProfile, entry)]);
        page.extend_from(&directory);
    }
    Ok(())
}

/// Pads data to a word boundary, as TIFF requires.
fn pad<W: Write + Seek>(page: &mut Page<'_, W>, data: &[u8]) -> TiffResult<()> {
    if data.len() % 2 == 1 {
        page.write_data(0_u8)?;
    }
    Ok(())
}

fn rational(density: f32) -> Rational {
    const PARTS: u16 = 1000;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "at most 10,000"
    )]
    let n = (density * f32::from(PARTS)).round() as u32;
    Rational { n, d: PARTS.into() }
}

fn deflate(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    encoder.finish()
}

fn task_error(error: TiffError) -> TaskError {
    match error {
        TiffError::IoError(error) => TaskError::Io(error),
        TiffError::IntSizeError => TaskError::document(
            domain::job::JobErrorCode::OutputTooLarge,
            "The result is larger than TIFF allows.",
        ),
        other => TaskError::Installation(other.to_string()),
    }
}
