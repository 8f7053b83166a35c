//! JPEG in the inks of printing, turned into red, green and blue.

use std::io::Cursor;

use image::{DynamicImage, RgbImage};
use task::{Fault, Outcome};
use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;
use zune_jpeg::errors::DecodeErrors;

use crate::ycbcr::to_rgb;
use crate::{colour, jpeg};

/// Decodes a JPEG of four channels to sRGB: by its colour profile, or as plain subtraction of light where it has none that
/// can be read. The amounts of ink are inverted where Adobe's segment is present [Adobe Technical Note 5116].
pub(super) fn decode(bytes: &[u8]) -> Outcome<DynamicImage> {
    let inverted = jpeg::header(Cursor::new(bytes))?.adobe;
    let (mut inks, (width, height), profile) = inks(bytes)?;
    if inverted {
        inks.iter_mut().for_each(|ink| *ink = u8::MAX - *ink);
    }
    let light = profile
        .and_then(|profile| colour::inks_to_srgb(&inks, width, &profile))
        .unwrap_or_else(|| subtract(&inks));
    RgbImage::from_raw(width, height, light)
        .map(DynamicImage::ImageRgb8)
        .ok_or_else(Fault::corrupt)
}

type Inks = (Vec<u8>, (u32, u32), Option<Vec<u8>>);

/// Cyan, magenta, yellow and black as they are stored, the sides, and the colour profile.
fn inks(bytes: &[u8]) -> Outcome<Inks> {
    let most = 1 << 16;
    let options = DecoderOptions::default()
        .set_max_width(most)
        .set_max_height(most);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().map_err(fault)?;
    let stored = decoder.input_colorspace().unwrap_or(ColorSpace::CMYK);
    decoder.set_options(options.jpeg_set_out_colorspace(stored));
    let mut samples = decoder.decode().map_err(fault)?;
    if stored == ColorSpace::YCCK {
        samples.chunks_exact_mut(4).for_each(to_inks);
    }
    let (width, height) = decoder.dimensions().ok_or_else(Fault::corrupt)?;
    let side = |side: usize| u32::try_from(side).map_err(|_| Fault::corrupt());
    Ok((
        samples,
        (side(width)?, side(height)?),
        decoder.icc_profile(),
    ))
}

fn fault(_: DecodeErrors) -> Fault {
    Fault::corrupt()
}

/// YCCK → CMYK: inks are what red, green and blue lack.
fn to_inks(pixel: &mut [u8]) {
    to_rgb(pixel);
    pixel
        .iter_mut()
        .take(3)
        .for_each(|ink| *ink = u8::MAX - *ink);
}

/// What light each amount of coloured ink leaves, and black of that.
fn subtract(inks: &[u8]) -> Vec<u8> {
    let mut light = Vec::with_capacity(inks.len() / 4 * 3);
    for pixel in inks.chunks_exact(4) {
        let [colours @ .., black] = pixel else {
            continue;
        };
        light.extend(colours.iter().map(|ink| {
            let left = u16::from(u8::MAX - ink) * u16::from(u8::MAX - black);
            u8::try_from((left + 127) / 255).unwrap_or(u8::MAX)
        }));
    }
    light
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_ink_is_white_and_black_ink_is_black() {
        assert_eq!(subtract(&[0, 0, 0, 0]), [255, 255, 255]);
        assert_eq!(subtract(&[0, 0, 0, 255]), [0, 0, 0]);
        assert_eq!(subtract(&[255, 0, 0, 0]), [0, 255, 255]);
        assert_eq!(subtract(&[0, 128, 0, 128]), [127, 63, 127]);
    }

    #[test]
    fn luminance_without_differences_is_the_same_of_each_ink() {
        let mut pixel = [200, 128, 128, 7];
        to_inks(&mut pixel);
        assert_eq!(pixel, [55, 55, 55, 7]);
    }
}
