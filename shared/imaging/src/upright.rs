//! A decoded image with its EXIF orientation applied, and the metadata to write with it.

use std::io::{BufRead, Seek};

use domain::format::Format;
use image::DynamicImage;
use task::{TaskResult, Warning};

use super::encode::{Attributes, max_metadata_bytes};
use super::metadata::Metadata;
use super::{color, decode, density, swaps_dimensions, transparency};

/// A decoded image with its orientation applied.
pub struct UprightImage {
    /// The pixels: at most 16 bits per sample, with an alpha channel only if some pixel is transparent.
    pub pixels: DynamicImage,
    /// ICC profile of the pixels.
    pub profile: Option<Vec<u8>>,
    /// Horizontal and vertical resolution in pixels per inch, if the file states it.
    pub density: Option<(f32, f32)>,
    /// EXIF and XMP to keep; empty unless requested.
    pub metadata: Metadata,
    /// Whether some pixels could not be decoded.
    pub is_damaged: bool,
}

impl UprightImage {
    /// Decodes an image (of several frames, the first) and applies its orientation.
    ///
    /// # Errors
    /// As [`decode`](crate::decode()).
    pub fn read<R: BufRead + Seek>(
        open: impl Fn() -> TaskResult<R>,
        format: Format,
    ) -> TaskResult<Self> {
        let mut picture = decode(open()?, format)?;
        picture.pixels.apply_orientation(picture.orientation);
        let density = density(open()?, format);
        let density = density.map(
            |(across, down)| match swaps_dimensions(picture.orientation) {
                true => (down, across),
                false => (across, down),
            },
        );
        Ok(Self {
            pixels: transparency::normalize(picture.pixels),
            profile: picture.profile,
            density,
            metadata: Metadata::default(),
            is_damaged: picture.is_damaged,
        })
    }

    /// Converts to sRGB and removes the color profile. An unreadable profile leaves the image unchanged.
    pub fn in_srgb(mut self) -> Self {
        let profile = self.profile.as_deref();
        let converted = profile.and_then(|profile| color::to_srgb(&self.pixels, profile));
        if let Some(converted) = converted {
            self.pixels = converted;
            self.profile = None;
        }
        self
    }

    /// Updates the metadata to match the pixels, and drops blocks that the format cannot store, with a warning.
    pub fn fit_metadata(&mut self, to: Format) -> Option<Warning> {
        let sides = (self.pixels.width(), self.pixels.height());
        let (metadata, warning) = fit_metadata(std::mem::take(&mut self.metadata), sides, to);
        self.metadata = metadata;
        warning
    }

    /// Returns the attributes to write with the pixels.
    pub fn attributes(&self) -> Attributes<'_> {
        Attributes {
            profile: self.profile.as_deref(),
            density: self.density,
            metadata: Some(&self.metadata),
        }
    }
}

/// Updates EXIF and XMP for an upright image of these dimensions, and drops blocks too large for the format.
pub fn fit_metadata(
    metadata: Metadata,
    sides: (u32, u32),
    to: Format,
) -> (Metadata, Option<Warning>) {
    let blocks = [metadata.exif.is_some(), metadata.xmp.is_some()];
    let fitted = metadata
        .for_upright(sides)
        .drop_larger_than(max_metadata_bytes(to));
    let found = [fitted.exif.is_some(), fitted.xmp.is_some()];
    let warning = (found != blocks).then_some(Warning::MetadataDropped);
    (fitted, warning)
}
