//! Images as files: their sides, pixels, orientation, colour profile and resolution.

mod density;
pub(crate) mod jpeg;
pub(crate) mod tiff;

use std::io::{BufRead, Seek};

use domain::format::Format;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder as _, ImageError, ImageFormat, ImageReader};

pub(crate) use self::density::density;
use crate::fault::{Fault, Outcome};

/// A decoded image, not yet turned.
pub(crate) struct Picture {
    /// The pixels as they are stored.
    pub(crate) pixels: DynamicImage,
    /// How they have to be turned to stand upright.
    pub(crate) orientation: Orientation,
    /// The colour profile of the pixels.
    pub(crate) profile: Option<Vec<u8>>,
}

/// Reads width and height from the header.
pub(crate) fn sides(reader: impl BufRead + Seek, format: Format) -> Outcome<(u32, u32)> {
    ImageReader::with_format(reader, codec(format)?)
        .into_dimensions()
        .map_err(fault)
}

/// Decodes an image, the first frame if it has several.
pub(crate) fn decode(reader: impl BufRead + Seek, format: Format) -> Outcome<Picture> {
    let mut reader = ImageReader::with_format(reader, codec(format)?);
    // Sides were checked before; the sandbox bounds memory.
    reader.no_limits();
    let mut decoder = reader.into_decoder().map_err(fault)?;
    let orientation = decoder.orientation().map_err(fault)?;
    let profile = decoder.icc_profile().map_err(fault)?;
    let pixels = DynamicImage::from_decoder(decoder).map_err(fault)?;
    let profile = profile.filter(|profile| fits(profile, &pixels));
    Ok(Picture {
        pixels,
        orientation,
        profile,
    })
}

/// Whether a colour profile is about as many channels as there are: a CMYK image is decoded to RGB, and its profile would
/// then be about other numbers. The colour space stands at offset 16 [ICC.1:2022, 7.2.6].
fn fits(profile: &[u8], pixels: &DynamicImage) -> bool {
    let space = profile.get(16..20);
    match pixels.color().has_color() {
        true => space == Some(b"RGB "),
        false => space == Some(b"GRAY"),
    }
}

fn codec(format: Format) -> Outcome<ImageFormat> {
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
pub(crate) fn fault(error: ImageError) -> Fault {
    match error {
        ImageError::IoError(error) => Fault::reading(error),
        ImageError::Limits(_) => Fault::too_large("The image is too large to be decoded."),
        _ => Fault::corrupt(),
    }
}
