//! CMYK and YCCK JPEG → sRGB.

use std::io::Cursor;

use image::{DynamicImage, RgbImage};
use task::{TaskError, TaskResult};
use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;
use zune_jpeg::errors::DecodeErrors;

use crate::ycbcr::to_rgb;
use crate::{color, jpeg};

/// Decodes a JPEG of four components to sRGB by its ICC profile, or with the plain CMYK formula if there is no readable
/// profile. Samples are inverted if an Adobe segment is present [Adobe Technical Note 5116].
pub(super) fn decode(bytes: &[u8]) -> TaskResult<DynamicImage> {
    let inverted = jpeg::header(Cursor::new(bytes))?.adobe;
    let (mut cmyk, (width, height), profile) = decode_cmyk(bytes)?;
    if inverted {
        cmyk.iter_mut().for_each(|ink| *ink = u8::MAX - *ink);
    }
    let rgb = profile
        .and_then(|profile| color::cmyk_to_srgb(&cmyk, width, &profile))
        .unwrap_or_else(|| cmyk_to_rgb(&cmyk));
    RgbImage::from_raw(width, height, rgb)
        .map(DynamicImage::ImageRgb8)
        .ok_or_else(TaskError::input_corrupt)
}

type CmykPixels = (Vec<u8>, (u32, u32), Option<Vec<u8>>);

/// Decodes the stored CMYK samples, the dimensions, and the ICC profile.
fn decode_cmyk(bytes: &[u8]) -> TaskResult<CmykPixels> {
    let most = 1 << 16;
    let options = DecoderOptions::default()
        .set_max_width(most)
        .set_max_height(most);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().map_err(task_error)?;
    let stored = decoder.input_colorspace().unwrap_or(ColorSpace::CMYK);
    decoder.set_options(options.jpeg_set_out_colorspace(stored));
    let mut samples = decoder.decode().map_err(task_error)?;
    if stored == ColorSpace::YCCK {
        samples.chunks_exact_mut(4).for_each(ycck_to_cmyk);
    }
    let (width, height) = decoder.dimensions().ok_or_else(TaskError::input_corrupt)?;
    let side = |side: usize| u32::try_from(side).map_err(|_| TaskError::input_corrupt());
    Ok((
        samples,
        (side(width)?, side(height)?),
        decoder.icc_profile(),
    ))
}

fn task_error(_: DecodeErrors) -> TaskError {
    TaskError::input_corrupt()
}

/// YCCK → CMYK: CMY are the complement of RGB.
fn ycck_to_cmyk(pixel: &mut [u8]) {
    to_rgb(pixel);
    pixel
        .iter_mut()
        .take(3)
        .for_each(|ink| *ink = u8::MAX - *ink);
}

/// CMYK → RGB without a profile: each channel is (1 − ink) · (1 − black).
fn cmyk_to_rgb(cmyk: &[u8]) -> Vec<u8> {
    let mut rgb = Vec::with_capacity(cmyk.len() / 4 * 3);
    for pixel in cmyk.chunks_exact(4) {
        let [colors @ .., black] = pixel else {
            continue;
        };
        rgb.extend(colors.iter().map(|ink| {
            let left = u16::from(u8::MAX - ink) * u16::from(u8::MAX - black);
            u8::try_from((left + 127) / 255).unwrap_or(u8::MAX)
        }));
    }
    rgb
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_ink_is_white_and_black_ink_is_black() {
        assert_eq!(cmyk_to_rgb(&[0, 0, 0, 0]), [255, 255, 255]);
        assert_eq!(cmyk_to_rgb(&[0, 0, 0, 255]), [0, 0, 0]);
        assert_eq!(cmyk_to_rgb(&[255, 0, 0, 0]), [0, 255, 255]);
        assert_eq!(cmyk_to_rgb(&[0, 128, 0, 128]), [127, 63, 127]);
    }

    #[test]
    fn neutral_chroma_gives_equal_inks() {
        let mut pixel = [200, 128, 128, 7];
        ycck_to_cmyk(&mut pixel);
        assert_eq!(pixel, [55, 55, 55, 7]);
    }
}
