//! The formats decoded by the `image` crate, and the mapping of its errors.

use std::io::{BufRead, Seek};

use domain::format::Format;
use image::{ImageError, ImageFormat, ImageReader};
use task::{TaskError, TaskResult};

/// Reads width and height from the header.
pub(crate) fn dimensions(reader: impl BufRead + Seek, format: Format) -> TaskResult<(u32, u32)> {
    ImageReader::with_format(reader, codec(format)?)
        .into_dimensions()
        .map_err(decoding_error)
}

pub(crate) fn codec(format: Format) -> TaskResult<ImageFormat> {
    match format {
        Format::Png => Ok(ImageFormat::Png),
        Format::Jpeg => Ok(ImageFormat::Jpeg),
        Format::Webp => Ok(ImageFormat::WebP),
        Format::Tiff => Ok(ImageFormat::Tiff),
        Format::Gif => Ok(ImageFormat::Gif),
        Format::Bmp => Ok(ImageFormat::Bmp),
        other => Err(TaskError::Installation(format!(
            "{other} is not a raster format"
        ))),
    }
}

/// Converts an error of the `image` crate.
pub fn decoding_error(error: ImageError) -> TaskError {
    match error {
        ImageError::IoError(error) => TaskError::from_read_error(error),
        ImageError::Limits(_) => TaskError::too_large("The image is too large to decode."),
        ImageError::Unsupported(_) => TaskError::unsupported_variant(),
        _ => TaskError::input_corrupt(),
    }
}
