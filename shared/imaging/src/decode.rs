//! Decoding of image files: dimensions, pixels, orientation and color profile.

use std::io::{BufRead, BufReader, Cursor, Seek, SeekFrom};

use domain::format::Format;
use image::codecs::tiff::TiffDecoder;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder as _, ImageFormat, ImageReader};
use task::{TaskError, TaskResult};

use crate::decoded::DecodedImage;
use crate::heif::Container;
use crate::input::Input;
use crate::raster::{self, codec, decoding_error};
use crate::{avif, cmyk, jpeg, svg, tiff};

/// Reads width and height from the header.
///
/// # Errors
/// [`TaskError::Document`] if the header cannot be parsed.
pub fn dimensions(mut reader: impl BufRead + Seek, format: Format) -> TaskResult<(u32, u32)> {
    read_dimensions(BufReader::new(&mut reader), format)
}

fn read_dimensions(mut reader: Input<'_>, format: Format) -> TaskResult<(u32, u32)> {
    match format {
        Format::Avif | Format::Heic => {
            let container = Container::read(&mut reader)?;
            return container.sides(container.primary());
        }
        Format::Svg => return Ok(svg::inspect(reader)?.sides),
        Format::Tiff => return tiff::pixels::dimensions(reader),
        _ => {}
    }
    raster::dimensions(reader, format)
}

/// Reads from the header the dimensions after applying the orientation, and whether the image is already upright.
///
/// # Errors
/// [`TaskError::Document`] if the header cannot be parsed.
pub fn upright_dimensions(
    mut reader: impl BufRead + Seek,
    format: Format,
) -> TaskResult<((u32, u32), bool)> {
    read_upright_dimensions(BufReader::new(&mut reader), format)
}

fn read_upright_dimensions(
    mut reader: Input<'_>,
    format: Format,
) -> TaskResult<((u32, u32), bool)> {
    let ((width, height), orientation) = match format {
        Format::Avif | Format::Heic => {
            let container = Container::read(&mut reader)?;
            let sides = container.sides(container.primary())?;
            (sides, container.orientation())
        }
        Format::Svg => (svg::inspect(reader)?.sides, Orientation::NoTransforms),
        Format::Tiff => {
            let orientation = tiff::orientation(&mut reader)?;
            (tiff::pixels::dimensions(reader)?, orientation)
        }
        _ => {
            let decoder = ImageReader::with_format(reader, codec(format)?).into_decoder();
            let mut decoder = decoder.map_err(decoding_error)?;
            (
                decoder.dimensions(),
                decoder.orientation().map_err(decoding_error)?,
            )
        }
    };
    let sides = if swaps_dimensions(orientation) {
        (height, width)
    } else {
        (width, height)
    };
    Ok((sides, orientation == Orientation::NoTransforms))
}

/// Reads the EXIF orientation.
///
/// # Errors
/// [`TaskError::Document`] if the header cannot be parsed.
pub fn orientation(mut reader: impl BufRead + Seek, format: Format) -> TaskResult<Orientation> {
    read_orientation(BufReader::new(&mut reader), format)
}

fn read_orientation(reader: Input<'_>, format: Format) -> TaskResult<Orientation> {
    match format {
        Format::Jpeg | Format::Png | Format::Webp => {
            let decoder = ImageReader::with_format(reader, codec(format)?).into_decoder();
            let mut decoder = decoder.map_err(decoding_error)?;
            decoder.orientation().map_err(decoding_error)
        }
        _ => Ok(Orientation::NoTransforms),
    }
}

/// Returns whether the orientation swaps width and height.
pub fn swaps_dimensions(orientation: Orientation) -> bool {
    matches!(
        orientation,
        Orientation::Rotate90
            | Orientation::Rotate270
            | Orientation::Rotate90FlipH
            | Orientation::Rotate270FlipH
    )
}

/// Decodes an image (of several frames, the first). A CMYK JPEG becomes sRGB.
///
/// # Errors
/// [`TaskError::Document`] if the image cannot be decoded.
pub fn decode(mut reader: impl BufRead + Seek, format: Format) -> TaskResult<DecodedImage> {
    read_image(BufReader::new(&mut reader), format)
}

fn read_image(mut reader: Input<'_>, format: Format) -> TaskResult<DecodedImage> {
    const CMYK_COMPONENTS: u8 = 4;
    match format {
        Format::Avif => return avif::decode(&mut reader),
        Format::Svg => return svg::decode(reader),
        Format::Heic => return Err(TaskError::unsupported_variant()),
        _ => {}
    }
    if format == Format::Jpeg {
        let channels = jpeg::header(&mut reader)?.components;
        reader
            .seek(SeekFrom::Start(0))
            .map_err(TaskError::from_read_error)?;
        return match channels {
            CMYK_COMPONENTS => decode_cmyk(reader),
            _ => decode_jpeg(reader),
        };
    }
    let profile = match format {
        Format::Tiff => tiff_profile(&mut reader)?,
        _ => None,
    };
    if format == Format::Tiff {
        let decoded = tiff::pixels::decode_unsupported(&mut reader, profile.as_deref())?;
        reader
            .seek(SeekFrom::Start(0))
            .map_err(TaskError::from_read_error)?;
        if let Some(pixels) = decoded {
            return Ok(DecodedImage {
                orientation: tiff::orientation(&mut reader)?,
                profile: profile.filter(|profile| matches_channels(profile, &pixels)),
                pixels,
                is_damaged: false,
            });
        }
    }
    let mut reader = ImageReader::with_format(reader, codec(format)?);
    // The dimensions were checked before; the sandbox limits memory.
    reader.no_limits();
    let mut decoder = reader.into_decoder().map_err(decoding_error)?;
    let orientation = decoder.orientation().map_err(decoding_error)?;
    let profile = match profile {
        Some(profile) => Some(profile),
        None => decoder.icc_profile().map_err(decoding_error)?,
    };
    let pixels = DynamicImage::from_decoder(decoder).map_err(decoding_error)?;
    let profile = profile.filter(|profile| matches_channels(profile, &pixels));
    Ok(DecodedImage {
        pixels,
        orientation,
        profile,
        is_damaged: false,
    })
}

/// Decodes a gray or color JPEG. The decoder of the `image` crate silently tolerates damage, so it is used only if strict
/// decoding fails, and the image is then marked as damaged.
fn decode_jpeg(mut reader: impl BufRead) -> TaskResult<DecodedImage> {
    let mut bytes = Vec::new();
    reader
        .read_to_end(&mut bytes)
        .map_err(TaskError::from_read_error)?;
    let mut reader = ImageReader::with_format(Cursor::new(&bytes), ImageFormat::Jpeg);
    reader.no_limits();
    let mut decoder = reader.into_decoder().map_err(decoding_error)?;
    let orientation = decoder.orientation().map_err(decoding_error)?;
    let profile = decoder.icc_profile().map_err(decoding_error)?;
    let (pixels, is_damaged) = match jpeg::decode_strict(&bytes) {
        Some(Ok(pixels)) => (pixels, false),
        strict => (
            DynamicImage::from_decoder(decoder).map_err(decoding_error)?,
            strict.is_some(),
        ),
    };
    Ok(DecodedImage {
        orientation,
        profile: profile.filter(|profile| matches_channels(profile, &pixels)),
        pixels,
        is_damaged,
    })
}

/// Reads the ICC profile of a TIFF. The decoder's default limits would drop a profile larger than the image.
fn tiff_profile(reader: &mut (impl BufRead + Seek)) -> TaskResult<Option<Vec<u8>>> {
    let profile = TiffDecoder::new(&mut *reader).and_then(|mut decoder| decoder.icc_profile());
    reader
        .seek(SeekFrom::Start(0))
        .map_err(TaskError::from_read_error)?;
    Ok(profile.ok().flatten())
}

fn decode_cmyk(mut reader: impl BufRead) -> TaskResult<DecodedImage> {
    let mut bytes = Vec::new();
    reader
        .read_to_end(&mut bytes)
        .map_err(TaskError::from_read_error)?;
    let decoder = ImageReader::with_format(Cursor::new(&bytes), ImageFormat::Jpeg).into_decoder();
    let orientation = decoder.and_then(|mut decoder| decoder.orientation());
    Ok(DecodedImage {
        pixels: cmyk::decode(&bytes)?,
        orientation: orientation.map_err(decoding_error)?,
        profile: None,
        is_damaged: false,
    })
}

/// Returns the ICC profile of a CMYK JPEG, which does not apply to the decoded RGB pixels.
pub fn cmyk_profile(mut reader: impl BufRead + Seek) -> Option<Vec<u8>> {
    read_cmyk_profile(BufReader::new(&mut reader))
}

fn read_cmyk_profile(reader: Input<'_>) -> Option<Vec<u8>> {
    let mut decoder = ImageReader::with_format(reader, ImageFormat::Jpeg)
        .into_decoder()
        .ok()?;
    let profile = decoder.icc_profile().ok().flatten();
    profile.filter(|profile| profile.get(16..20) == Some(b"CMYK"))
}

/// Returns whether the profile matches the channels of the pixels: a CMYK image is decoded to RGB, so its profile no longer
/// applies. The color space is at offset 16 [ICC.1:2022, 7.2.6].
fn matches_channels(profile: &[u8], pixels: &DynamicImage) -> bool {
    let space = profile.get(16..20);
    match pixels.color().has_color() {
        true => space == Some(b"RGB "),
        false => space == Some(b"GRAY"),
    }
}

/// Returns samples of at most 16 bits in big-endian byte order, as PNG stores them.
pub fn to_big_endian(pixels: DynamicImage) -> Vec<u8> {
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
