//! An image as it is shown: turned upright, with what its file says beside the pixels.

use std::io::{BufRead, Seek};

use domain::format::Format;
use image::DynamicImage;
use task::{Outcome, Remark};

use super::encode::{Attributes, most_metadata};
use super::metadata::Metadata;
use super::{colour, decode, density, flat, is_sideways};

/// An image as it is shown.
pub struct Upright {
    /// The pixels: at most 16 bits a sample, transparency only if there is any.
    pub pixels: DynamicImage,
    /// The colour profile of the pixels.
    pub profile: Option<Vec<u8>>,
    /// Pixels an inch across and down, where the file says so.
    pub density: Option<(f32, f32)>,
    /// What is kept of what the file says beside: nothing unless it is asked for.
    pub metadata: Metadata,
    /// Whether some of the pixels could not be read.
    pub is_damaged: bool,
}

impl Upright {
    /// Decodes an image, the first frame if it has several, and turns it.
    pub fn read<R: BufRead + Seek>(open: impl Fn() -> Outcome<R>, format: Format) -> Outcome<Self> {
        let mut picture = decode(open()?, format)?;
        picture.pixels.apply_orientation(picture.orientation);
        let density = density(open()?, format);
        let density = density.map(|(across, down)| match is_sideways(picture.orientation) {
            true => (down, across),
            false => (across, down),
        });
        Ok(Self {
            pixels: flat::plain(picture.pixels),
            profile: picture.profile,
            density,
            metadata: Metadata::default(),
            is_damaged: picture.is_damaged,
        })
    }

    /// The same in sRGB, without a colour profile; as it is where the profile cannot be read.
    pub fn in_srgb(mut self) -> Self {
        let profile = self.profile.as_deref();
        let converted = profile.and_then(|profile| colour::to_srgb(&self.pixels, profile));
        if let Some(converted) = converted {
            self.pixels = converted;
            self.profile = None;
        }
        self
    }

    /// Makes what is kept beside the pixels true of them, and leaves out what a format does not hold, which is told.
    pub fn settle_metadata(&mut self, to: Format) -> Option<Remark> {
        let sides = (self.pixels.width(), self.pixels.height());
        let (settled, remark) = settled(std::mem::take(&mut self.metadata), sides, to);
        self.metadata = settled;
        remark
    }

    /// What a file of it says beside the pixels.
    pub fn attributes(&self) -> Attributes<'_> {
        Attributes {
            profile: self.profile.as_deref(),
            density: self.density,
            metadata: Some(&self.metadata),
        }
    }
}

/// The blocks as they are true of an upright image of these sides, as far as a format holds them.
pub fn settled(metadata: Metadata, sides: (u32, u32), to: Format) -> (Metadata, Option<Remark>) {
    let blocks = [metadata.exif.is_some(), metadata.xmp.is_some()];
    let settled = metadata.of_upright(sides).within(most_metadata(to));
    let found = [settled.exif.is_some(), settled.xmp.is_some()];
    let remark = (found != blocks).then_some(Remark::MetadataPacketDropped);
    (settled, remark)
}
