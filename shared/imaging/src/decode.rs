//! Images as files: their sides, pixels, orientation, colour profile and resolution.

use std::io::{BufRead, Cursor, Seek, SeekFrom};

use domain::format::Format;
use image::codecs::tiff::TiffDecoder;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder as _, ImageFormat, ImageReader};
use task::{Fault, Outcome};

use crate::heif::Container;
use crate::picture::Picture;
use crate::raster::{self, codec, fault};
use crate::{avif, cmyk, jpeg, svg, tiff};

/// Reads width and height from the header.
pub fn sides(mut reader: impl BufRead + Seek, format: Format) -> Outcome<(u32, u32)> {
    match format {
        Format::Avif | Format::Heic => {
            let container = Container::read(&mut reader)?;
            return container.sides(container.primary());
        }
        Format::Svg => return Ok(svg::facts(reader)?.sides),
        Format::Tiff => return tiff::pixels::sides(reader),
        _ => {}
    }
    raster::sides(reader, format)
}

/// Reads from the header what an image becomes when it is turned upright: its sides, and whether it stands so already.
pub fn upright_sides(
    mut reader: impl BufRead + Seek,
    format: Format,
) -> Outcome<((u32, u32), bool)> {
    let ((width, height), orientation) = match format {
        Format::Avif | Format::Heic => {
            let container = Container::read(&mut reader)?;
            let sides = container.sides(container.primary())?;
            (sides, container.orientation())
        }
        Format::Svg => (svg::facts(reader)?.sides, Orientation::NoTransforms),
        Format::Tiff => {
            let orientation = tiff::orientation(&mut reader)?;
            (tiff::pixels::sides(reader)?, orientation)
        }
        _ => {
            let decoder = ImageReader::with_format(reader, codec(format)?).into_decoder();
            let mut decoder = decoder.map_err(fault)?;
            (decoder.dimensions(), decoder.orientation().map_err(fault)?)
        }
    };
    let sides = if is_sideways(orientation) {
        (height, width)
    } else {
        (width, height)
    };
    Ok((sides, orientation == Orientation::NoTransforms))
}

/// Reads how an image has to be turned.
pub fn orientation(reader: impl BufRead + Seek, format: Format) -> Outcome<Orientation> {
    match format {
        Format::Jpeg | Format::Png | Format::Webp => {
            let decoder = ImageReader::with_format(reader, codec(format)?).into_decoder();
            let mut decoder = decoder.map_err(fault)?;
            decoder.orientation().map_err(fault)
        }
        _ => Ok(Orientation::NoTransforms),
    }
}

/// Whether width and height change places when an image is turned upright.
pub fn is_sideways(orientation: Orientation) -> bool {
    matches!(
        orientation,
        Orientation::Rotate90
            | Orientation::Rotate270
            | Orientation::Rotate90FlipH
            | Orientation::Rotate270FlipH
    )
}

/// Decodes an image, the first frame if it has several. A JPEG in the inks of printing becomes sRGB.
pub fn decode(mut reader: impl BufRead + Seek, format: Format) -> Outcome<Picture> {
    const INKS: u8 = 4;
    match format {
        Format::Avif => return avif::decode(&mut reader),
        Format::Svg => return svg::decode(reader),
        Format::Heic => return Err(Fault::variant()),
        _ => {}
    }
    if format == Format::Jpeg {
        let channels = jpeg::header(&mut reader)?.components;
        reader.seek(SeekFrom::Start(0)).map_err(Fault::reading)?;
        return match channels {
            INKS => decode_inks(reader),
            _ => decode_light(reader),
        };
    }
    let profile = match format {
        Format::Tiff => tiff_profile(&mut reader)?,
        _ => None,
    };
    if format == Format::Tiff {
        let unusual = tiff::pixels::unusual(&mut reader, profile.as_deref())?;
        reader.seek(SeekFrom::Start(0)).map_err(Fault::reading)?;
        if let Some(pixels) = unusual {
            return Ok(Picture {
                orientation: tiff::orientation(&mut reader)?,
                profile: profile.filter(|profile| fits(profile, &pixels)),
                pixels,
                is_damaged: false,
            });
        }
    }
    let mut reader = ImageReader::with_format(reader, codec(format)?);
    // Sides were checked before; the sandbox bounds memory.
    reader.no_limits();
    let mut decoder = reader.into_decoder().map_err(fault)?;
    let orientation = decoder.orientation().map_err(fault)?;
    let profile = match profile {
        Some(profile) => Some(profile),
        None => decoder.icc_profile().map_err(fault)?,
    };
    let pixels = DynamicImage::from_decoder(decoder).map_err(fault)?;
    let profile = profile.filter(|profile| fits(profile, &pixels));
    Ok(Picture {
        pixels,
        orientation,
        profile,
        is_damaged: false,
    })
}

/// A JPEG in grey or colours. What it is read with forgives damage and says nothing, so that is what is left where a strict
/// reading fails.
fn decode_light(mut reader: impl BufRead) -> Outcome<Picture> {
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes).map_err(Fault::reading)?;
    let mut reader = ImageReader::with_format(Cursor::new(&bytes), ImageFormat::Jpeg);
    reader.no_limits();
    let mut decoder = reader.into_decoder().map_err(fault)?;
    let orientation = decoder.orientation().map_err(fault)?;
    let profile = decoder.icc_profile().map_err(fault)?;
    let (pixels, is_damaged) = match jpeg::pixels(&bytes) {
        Some(Ok(pixels)) => (pixels, false),
        strict => (
            DynamicImage::from_decoder(decoder).map_err(fault)?,
            strict.is_some(),
        ),
    };
    Ok(Picture {
        orientation,
        profile: profile.filter(|profile| fits(profile, &pixels)),
        pixels,
        is_damaged,
    })
}

/// The colour profile of a TIFF. Without limits, the decoder takes one that is larger than the image for none.
fn tiff_profile(reader: &mut (impl BufRead + Seek)) -> Outcome<Option<Vec<u8>>> {
    let profile = TiffDecoder::new(&mut *reader).and_then(|mut decoder| decoder.icc_profile());
    reader.seek(SeekFrom::Start(0)).map_err(Fault::reading)?;
    Ok(profile.ok().flatten())
}

fn decode_inks(mut reader: impl BufRead) -> Outcome<Picture> {
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes).map_err(Fault::reading)?;
    let decoder = ImageReader::with_format(Cursor::new(&bytes), ImageFormat::Jpeg).into_decoder();
    let orientation = decoder.and_then(|mut decoder| decoder.orientation());
    Ok(Picture {
        pixels: cmyk::decode(&bytes)?,
        orientation: orientation.map_err(fault)?,
        profile: None,
        is_damaged: false,
    })
}

/// The colour profile of the inks that a JPEG is stored in, which its decoded pixels are not in any more.
pub fn profile_of_inks(reader: impl BufRead + Seek) -> Option<Vec<u8>> {
    let mut decoder = ImageReader::with_format(reader, ImageFormat::Jpeg)
        .into_decoder()
        .ok()?;
    let profile = decoder.icc_profile().ok().flatten();
    profile.filter(|profile| profile.get(16..20) == Some(b"CMYK"))
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

/// Samples of at most 16 bits with the high byte of each first, as files store them.
pub fn high_byte_first(pixels: DynamicImage) -> Vec<u8> {
    let pixels = match pixels {
        DynamicImage::ImageRgb32F(_) => DynamicImage::ImageRgb16(pixels.into_rgb16()),
        DynamicImage::ImageRgba32F(_) => DynamicImage::ImageRgba16(pixels.into_rgba16()),
        pixels => pixels,
    };
    let wide = pixels.color().bytes_per_pixel() > pixels.color().channel_count();
    let mut samples = pixels.into_bytes();
    if wide && cfg!(target_endian = "little") {
        samples.chunks_exact_mut(2).for_each(<[u8]>::reverse);
    }
    samples
}
