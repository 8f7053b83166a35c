//! The source of the pictures of a document.

use std::io::{self, Read};

use super::{Result, WriteError};

/// Provides the pictures of [`crate::Content::Image`] by number. A picture may be requested several times.
pub trait Pictures {
    /// Returns the properties of a picture; `None` if it does not exist, so that its alternative text is written.
    ///
    /// # Errors
    /// If it cannot be read.
    fn info(&self, image: usize) -> io::Result<Option<PictureInfo>>;

    /// Returns the relative path of a picture's file that Markdown refers to; `None` to include its bytes. Called only if the
    /// picture exists.
    ///
    /// # Errors
    /// If there are too many.
    fn path(&self, _image: usize, _info: PictureInfo) -> io::Result<Option<String>> {
        Ok(None)
    }

    /// Returns a reader of its bytes.
    ///
    /// # Errors
    /// If it cannot be read.
    fn open(&self, image: usize) -> io::Result<Box<dyn Read + '_>>;
}

/// The properties of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureInfo {
    /// File format.
    pub format: PictureFormat,
    /// Width, pixels.
    pub width: u32,
    /// Height, pixels.
    pub height: u32,
}

/// File formats that office suites and browsers support.
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
    /// Returns the file name extension, without a dot.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpeg",
            Self::Gif => "gif",
        }
    }

    /// Returns the media type.
    #[must_use]
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Gif => "image/gif",
        }
    }
}

/// Returns the part name of a picture, relative to the folder of the document.
pub(super) fn part(image: usize, format: PictureFormat) -> String {
    format!(
        "media/image{}.{}",
        image.saturating_add(1),
        format.extension()
    )
}

/// Provides no pictures; alternative text is written instead, where the format supports it.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoPictures;

impl Pictures for NoPictures {
    fn info(&self, _: usize) -> io::Result<Option<PictureInfo>> {
        Ok(None)
    }

    fn open(&self, _: usize) -> io::Result<Box<dyn Read + '_>> {
        Err(std::io::ErrorKind::NotFound.into())
    }
}

pub(super) fn info(pictures: &dyn Pictures, image: usize) -> Result<Option<PictureInfo>> {
    let found = pictures.info(image);
    found.map_err(|reason| WriteError::Picture { image, reason })
}

pub(super) fn open(pictures: &dyn Pictures, image: usize) -> Result<Box<dyn Read + '_>> {
    let opened = pictures.open(image);
    opened.map_err(|reason| WriteError::Picture { image, reason })
}
