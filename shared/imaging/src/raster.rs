//! The formats that the crate `image` decodes: its name of each, and what its errors mean.

use std::io::{BufRead, Seek};

use domain::format::Format;
use image::{ImageError, ImageFormat, ImageReader};
use task::{Fault, Outcome};

/// Reads width and height from the header.
pub(crate) fn sides(reader: impl BufRead + Seek, format: Format) -> Outcome<(u32, u32)> {
    ImageReader::with_format(reader, codec(format)?)
        .into_dimensions()
        .map_err(fault)
}

pub(crate) fn codec(format: Format) -> Outcome<ImageFormat> {
    match format {
        Format::Png => Ok(ImageFormat::Png),
        Format::Jpeg => Ok(ImageFormat::Jpeg),
        Format::Webp => Ok(ImageFormat::WebP),
        Format::Tiff => Ok(ImageFormat::Tiff),
        Format::Gif => Ok(ImageFormat::Gif),
        Format::Bmp => Ok(ImageFormat::Bmp),
        other => Err(Fault::Installation(format!("{other} is no image"))),
    }
}

/// What it means that an image cannot be decoded.
pub fn fault(error: ImageError) -> Fault {
    match error {
        ImageError::IoError(error) => Fault::reading(error),
        ImageError::Limits(_) => Fault::too_large("The image is too large to be decoded."),
        ImageError::Unsupported(_) => Fault::variant(),
        _ => Fault::corrupt(),
    }
}
