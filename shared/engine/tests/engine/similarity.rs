//! Similarity of images.

use std::io::Cursor;

use image::imageops::FilterType;
use image::{DynamicImage, ImageDecoder as _, ImageReader, RgbImage};

use crate::libheif;

/// Mean channel difference of both images, scaled to `side` × `side` pixels so that antialiasing does not count.
pub(crate) fn difference(one: &RgbImage, other: &RgbImage, side: u32) -> f64 {
    let small = |picture: &RgbImage| {
        let picture = DynamicImage::from(picture.clone());
        picture
            .resize_exact(side, side, FilterType::Triangle)
            .into_rgb8()
    };
    let (one, other) = (small(one), small(other));
    let sum: u64 = one
        .iter()
        .zip(other.iter())
        .map(|(a, b)| u64::from(a.abs_diff(*b)))
        .sum();
    sum as f64 / one.len() as f64
}

/// The first image in a file, upright and on white.
pub(crate) fn upright(file: &[u8]) -> RgbImage {
    if libheif::reads(file) {
        return on_white(&libheif::decoded(file));
    }
    let reader = ImageReader::new(Cursor::new(file))
        .with_guessed_format()
        .unwrap();
    let mut decoder = reader.into_decoder().unwrap();
    let orientation = decoder.orientation().unwrap();
    let mut image = DynamicImage::from_decoder(decoder).unwrap();
    image.apply_orientation(orientation);
    on_white(&image)
}

/// The image on a white background.
pub(crate) fn on_white(image: &DynamicImage) -> RgbImage {
    let mut flat = image.to_rgba8();
    for pixel in flat.pixels_mut() {
        let [red, green, blue, alpha] = pixel.0.map(u32::from);
        let over_white = |channel: u32| ((channel * alpha + 255 * (255 - alpha) + 127) / 255) as u8;
        pixel.0 = [over_white(red), over_white(green), over_white(blue), 255];
    }
    DynamicImage::from(flat).into_rgb8()
}
