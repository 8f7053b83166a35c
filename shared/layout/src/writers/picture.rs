//! Where the pictures of a document come from.

use std::io::{Read, Result};

use super::{Outcome, WriteError};

/// The pictures that [`crate::Content::Image`] names by number. A picture may be asked for more than once.
pub trait Pictures {
    /// What is known about a picture; `None` where there is none, and its words alone are written.
    ///
    /// # Errors
    /// If it cannot be read.
    fn info(&self, image: usize) -> Result<Option<PictureInfo>>;

    /// Its bytes.
    ///
    /// # Errors
    /// If it cannot be read.
    fn open(&self, image: usize) -> Result<Box<dyn Read + '_>>;
}

/// What is known about a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureInfo {
    /// How it is encoded.
    pub format: PictureFormat,
    /// From left to right, pixels.
    pub width: u32,
    /// From top to bottom, pixels.
    pub height: u32,
}

/// How a picture is encoded: what office suites and browsers show alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFormat {
    /// PNG.
    Png,
    /// JPEG.
    Jpeg,
    /// GIF.
    Gif,
}

impl PictureFormat {
    /// The ending of such a file's name, without a dot.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpeg",
            Self::Gif => "gif",
        }
    }

    /// Its media type.
    #[must_use]
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Gif => "image/gif",
        }
    }
}

/// The name of a picture's part of a package, from the folder of the document.
pub(super) fn part(image: usize, format: PictureFormat) -> String {
    format!(
        "media/image{}.{}",
        image.saturating_add(1),
        format.extension()
    )
}

/// No picture is there: what they show is written in words, if at all.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoPictures;

impl Pictures for NoPictures {
    fn info(&self, _: usize) -> Result<Option<PictureInfo>> {
        Ok(None)
    }

    fn open(&self, _: usize) -> Result<Box<dyn Read + '_>> {
        Err(std::io::ErrorKind::NotFound.into())
    }
}

pub(super) fn info(pictures: &dyn Pictures, image: usize) -> Outcome<Option<PictureInfo>> {
    let found = pictures.info(image);
    found.map_err(|reason| WriteError::Picture { image, reason })
}

pub(super) fn open(pictures: &dyn Pictures, image: usize) -> Outcome<Box<dyn Read + '_>> {
    let opened = pictures.open(image);
    opened.map_err(|reason| WriteError::Picture { image, reason })
}
