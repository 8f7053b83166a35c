//! An image as it is shown: turned upright, with what its file says beside the pixels.

use std::io::{BufRead, Seek};

use domain::format::Format;
use image::DynamicImage;

use super::encode::Attributes;
use super::{decode, density, flat, is_sideways};
use crate::fault::Outcome;

/// An image as it is shown.
pub(crate) struct Upright {
    /// The pixels: at most 16 bits a sample, transparency only if there is any.
    pub(crate) pixels: DynamicImage,
    /// The colour profile of the pixels.
    pub(crate) profile: Option<Vec<u8>>,
    /// Pixels an inch across and down, where the file says so.
    pub(crate) density: Option<(f32, f32)>,
}

impl Upright {
    /// Decodes an image, the first frame if it has several, and turns it.
    pub(crate) fn read<R: BufRead + Seek>(
        open: impl Fn() -> Outcome<R>,
        format: Format,
    ) -> Outcome<Self> {
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
        })
    }

    /// What a file of it says beside the pixels.
    pub(crate) fn attributes(&self) -> Attributes<'_> {
        Attributes {
            profile: self.profile.as_deref(),
            density: self.density,
        }
    }
}
