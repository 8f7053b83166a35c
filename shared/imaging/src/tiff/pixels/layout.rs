//! How the samples of a TIFF page are stored and what they mean [TIFF 6.0, sections 8, 14 and 18 to 23].

use std::io::{Read, Seek};

use task::{TaskError, TaskResult};
use tiff::decoder::{ChunkType, Decoder};
use tiff::tags::PhotometricInterpretation as Photometric;
use tiff::tags::{CompressionMethod, PlanarConfiguration, Tag};

use super::{first_value, tag_value, task_error};

const UNSIGNED: u16 = 1;
const FLOAT: u16 = 3;
const ASSOCIATED_ALPHA: u16 = 1;
const UNASSOCIATED_ALPHA: u16 = 2;

/// Storage and meaning of the samples of a page.
pub(super) struct PixelLayout {
    pub(super) photometric: Photometric,
    pub(super) sides: (u32, u32),
    pub(super) bits: u16,
    /// Samples per pixel, including extra samples.
    pub(super) samples: usize,
    pub(super) is_planar: bool,
    pub(super) alpha: Option<Alpha>,
    sample_format: u16,
    is_jpeg: bool,
}

/// Whether colors are multiplied by the alpha sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Alpha {
    Premultiplied,
    Straight,
}

impl PixelLayout {
    pub(super) fn read(
        decoder: &mut Decoder<impl Read + Seek>,
        photometric: Photometric,
    ) -> TaskResult<Self> {
        let compression = tag_value(decoder, Tag::Compression)?;
        let planes = tag_value(decoder, Tag::PlanarConfiguration)?;
        let layout = Self {
            photometric,
            sides: decoder.dimensions().map_err(task_error)?,
            bits: first_value(decoder, Tag::BitsPerSample)?.unwrap_or(1),
            samples: tag_value(decoder, Tag::SamplesPerPixel)?
                .unwrap_or(1)
                .into(),
            is_planar: planes == Some(PlanarConfiguration::Planar.to_u16()),
            alpha: match first_value(decoder, Tag::ExtraSamples)? {
                Some(ASSOCIATED_ALPHA) => Some(Alpha::Premultiplied),
                Some(UNASSOCIATED_ALPHA) => Some(Alpha::Straight),
                _ => None,
            },
            sample_format: first_value(decoder, Tag::SampleFormat)?.unwrap_or(UNSIGNED),
            is_jpeg: compression == Some(CompressionMethod::ModernJPEG.to_u16()),
        };
        // The `tiff` crate confuses the tiles at the edges of planes.
        if layout.is_planar && decoder.get_chunk_type() == ChunkType::Tile {
            return Err(TaskError::unsupported_variant());
        }
        let needed = layout.channels() + usize::from(layout.alpha.is_some());
        match layout.samples >= needed {
            true => Ok(layout),
            false => Err(TaskError::input_corrupt()),
        }
    }

    /// Returns the number of samples of a color.
    pub(super) fn channels(&self) -> usize {
        match self.photometric {
            Photometric::RGB
            | Photometric::YCbCr
            | Photometric::CIELab
            | Photometric::IccLab
            | Photometric::ItuLab => 3,
            Photometric::CMYK => 4,
            _ => 1,
        }
    }

    /// Returns whether samples are integers from 0, of which the largest is the brightest.
    pub(super) fn is_unsigned(&self) -> bool {
        self.sample_format == UNSIGNED
    }

    /// Returns whether samples are floating-point numbers.
    pub(super) fn is_float(&self) -> bool {
        self.sample_format == FLOAT
    }

    /// Returns whether the `image` crate decodes these samples to the right colors.
    pub(super) fn is_decoded_by_image_crate(&self, has_profile: bool) -> bool {
        let is_short = self.is_unsigned() && matches!(self.bits, 8 | 16);
        match self.photometric {
            Photometric::WhiteIsZero | Photometric::BlackIsZero => {
                self.samples == 1 && (is_short || (self.is_unsigned() && self.bits == 1))
            }
            Photometric::RGB => {
                (is_short || (self.is_float() && self.bits == 32))
                    && !self.is_jpeg
                    && self.alpha != Some(Alpha::Premultiplied)
            }
            Photometric::CMYK => is_short && !self.is_planar && self.samples == 4 && !has_profile,
            _ => false,
        }
    }
}
