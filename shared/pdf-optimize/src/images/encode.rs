//! Encodes image samples as PDF streams.

use std::convert::Infallible;
use std::error::Error;

use fast_image_resize::images::{Image, TypedImageRef};
use fast_image_resize::pixels::{U8, U8x3, U8x4};
use fast_image_resize::{FilterType, PixelTrait, ResizeAlg, ResizeOptions, Resizer};
use fax::encoder::Encoder;
use fax::{Color, VecWriter};
use image::codecs::png::{CompressionType, FilterType as PngFilter, PngEncoder};
use image::{ExtendedColorType, ImageEncoder as _};
use lopdf::{Dictionary, Object, dictionary};
use mozjpeg::{ColorSpace, Compress};
use task::{TaskError, TaskResult};

use super::samples::Samples;

/// Encoded image content with its filter entries.
#[derive(Clone, Debug)]
pub(super) struct Encoded {
    /// The content.
    pub(super) bytes: Vec<u8>,
    /// Dictionary entries of the encoding.
    pub(super) entries: Dictionary,
}

/// Encodes as JPEG with the same number of channels.
pub(super) fn jpeg(samples: &Samples, quality: u8) -> TaskResult<Encoded> {
    let (space, stored) = match samples.channels {
        1 => (ColorSpace::JCS_GRAYSCALE, ColorSpace::JCS_GRAYSCALE),
        3 => (ColorSpace::JCS_RGB, ColorSpace::JCS_YCbCr),
        _ => (ColorSpace::JCS_CMYK, ColorSpace::JCS_YCCK),
    };
    let mut encoder = Compress::new(space);
    encoder.set_color_space(stored);
    encoder.set_size(samples.sides.0 as usize, samples.sides.1 as usize);
    encoder.set_quality(quality.into());
    let mut started = encoder.start_compress(Vec::new())?;
    started.write_scanlines(&samples.bytes)?;
    Ok(Encoded {
        bytes: started.finish()?,
        entries: dictionary! { "Filter" => "DCTDecode", "BitsPerComponent" => 8 },
    })
}

/// Encodes as Flate with PNG predictors; supports one or three channels.
pub(super) fn deflate(samples: &Samples) -> TaskResult<Option<Encoded>> {
    let color = match samples.channels {
        1 => ExtendedColorType::L8,
        3 => ExtendedColorType::Rgb8,
        _ => return Ok(None),
    };
    let (width, height) = samples.sides;
    let mut png = Vec::new();
    PngEncoder::new_with_quality(&mut png, CompressionType::Level(9), PngFilter::Adaptive)
        .write_image(&samples.bytes, width, height, color)
        .map_err(|error| TaskError::Io(std::io::Error::other(error)))?;
    let parameters = dictionary! {
        "Predictor" => 15,
        "Colors" => i64::from(samples.channels),
        "BitsPerComponent" => 8,
        "Columns" => i64::from(width),
    };
    Ok(Some(Encoded {
        bytes: idat(&png),
        entries: dictionary! {
            "Filter" => "FlateDecode",
            "DecodeParms" => parameters,
            "BitsPerComponent" => 8,
        },
    }))
}

/// Returns the IDAT data of a PNG, which PDF decodes with the same predictors [ISO 32000-1, 7.4.4.4].
fn idat(png: &[u8]) -> Vec<u8> {
    let mut idat = Vec::new();
    let mut rest = png.get(8..).unwrap_or_default();
    while let Some((head, after)) = rest.split_at_checked(8) {
        let (length, kind) = head.split_at_checked(4).unwrap_or_default();
        let length = length.try_into().map_or(0, u32::from_be_bytes) as usize;
        let Some((content, after)) = after.split_at_checked(length) else {
            break;
        };
        if kind == b"IDAT" {
            idat.extend(content);
        }
        rest = after.get(4..).unwrap_or_default();
    }
    idat
}

/// Encodes as CCITT Group 4 [ITU-T T.6]; `packed` has eight pixels per byte, rows start at byte boundaries.
pub(super) fn fax(packed: &[u8], (width, height): (u32, u32)) -> Option<Encoded> {
    let across = u16::try_from(width).ok()?;
    let row_bytes = (width as usize).div_ceil(8);
    let ones: u64 = packed.iter().map(|byte| u64::from(byte.count_ones())).sum();
    // The majority of the pixels become white, the background.
    let is_one_black = ones * 2 < u64::from(width) * u64::from(height);
    let mut encoder = Encoder::new(VecWriter::new());
    let mut rows = 0;
    for row in packed.chunks_exact(row_bytes).take(height as usize) {
        let bits = row
            .iter()
            .flat_map(|byte| (0..8).map(move |bit| byte & (0x80 >> bit) != 0));
        let pixels = bits.map(|one| match one == is_one_black {
            true => Color::Black,
            false => Color::White,
        });
        let written: Result<(), Infallible> =
            encoder.encode_line(pixels.take(width as usize), across);
        written.ok()?;
        rows += 1;
    }
    let Ok(writer) = encoder.finish();
    let parameters = dictionary! {
        "K" => -1,
        "Columns" => i64::from(width),
        "Rows" => i64::from(height),
        "BlackIs1" => Object::Boolean(is_one_black),
    };
    (rows == height).then(|| Encoded {
        bytes: writer.finish(),
        entries: dictionary! {
            "Filter" => "CCITTFaxDecode",
            "DecodeParms" => parameters,
            "BitsPerComponent" => 1,
        },
    })
}

/// Downscales samples.
pub(super) fn scale(samples: &Samples, sides: (u32, u32)) -> TaskResult<Samples> {
    let bytes = match samples.channels {
        1 => resize::<U8>(samples, sides),
        3 => resize::<U8x3>(samples, sides),
        _ => resize::<U8x4>(samples, sides),
    };
    Ok(Samples {
        sides,
        channels: samples.channels,
        bytes: bytes
            .map_err(|error| TaskError::Installation(format!("cannot scale an image: {error}")))?,
    })
}

/// Resizes samples as pixels of the type `P`. `Resizer::resize` selects the type dynamically, but that compiles the code of
/// every type, which takes ten times as long as the rest of this crate.
fn resize<P: PixelTrait>(
    samples: &Samples,
    (width, height): (u32, u32),
) -> Result<Vec<u8>, Box<dyn Error>> {
    let source = TypedImageRef::<P>::from_buffer(samples.sides.0, samples.sides.1, &samples.bytes)?;
    let mut target = Image::new(width, height, P::pixel_type());
    let mut view = target
        .typed_image_mut::<P>()
        .ok_or("the pixel type differs")?;
    let options = ResizeOptions::new()
        .resize_alg(ResizeAlg::Convolution(FilterType::CatmullRom))
        .use_alpha(false);
    Resizer::new().resize_typed(&source, &mut view, &options)?;
    Ok(target.into_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bilevel_images_are_encoded_losslessly() {
        let (width, height) = (70_u32, 40_u32);
        let packed: Vec<u8> = (0..360_u32)
            .map(|at| (at * at / 7 % 251) as u8 & if at % 9 == 8 { 0xfc } else { 0xff })
            .collect();
        let encoded = fax(&packed, (width, height)).unwrap();
        let black = encoded
            .entries
            .get(b"DecodeParms")
            .unwrap()
            .as_dict()
            .unwrap();
        let black = black.get(b"BlackIs1").unwrap().as_bool().unwrap();
        let mut found = Vec::new();
        fax::decoder::decode_g4(encoded.bytes.into_iter(), 70, Some(40), |line| {
            found
                .extend(fax::decoder::pels(line, 70).map(|pixel| (pixel == Color::Black) == black));
        });
        let bit = |x: u32, y: u32| packed[(y * 9 + x / 8) as usize] & (0x80 >> (x % 8)) != 0;
        let expected: Vec<bool> = (0..height)
            .flat_map(|y| (0..width).map(move |x| (x, y)))
            .map(|(x, y)| bit(x, y))
            .collect();
        assert_eq!(found, expected);
    }
}
