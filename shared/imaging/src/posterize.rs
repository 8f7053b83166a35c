//! Posterization: fewer levels per channel, so that a lossless image needs fewer bytes.

use image::DynamicImage;

/// Returns the levels per channel to try in turn: color needs more levels than gray to look the same.
pub fn levels_to_try(pixels: &DynamicImage) -> [u8; 3] {
    match pixels.color().has_color() {
        true => [32, 16, 8],
        false => [16, 4, 2],
    }
}

/// Quantizes each channel to `levels` equidistant levels of 8 bits. Both extremes stay, so black, white, opaque and fully
/// transparent are unchanged.
pub fn posterize(pixels: &DynamicImage, levels: u8) -> DynamicImage {
    let kind = pixels.color();
    let mut pixels = match (kind.has_color(), kind.has_alpha()) {
        (false, false) => DynamicImage::ImageLuma8(pixels.to_luma8()),
        (false, true) => DynamicImage::ImageLumaA8(pixels.to_luma_alpha8()),
        (true, false) => DynamicImage::ImageRgb8(pixels.to_rgb8()),
        (true, true) => DynamicImage::ImageRgba8(pixels.to_rgba8()),
    };
    let samples: &mut [u8] = match &mut pixels {
        DynamicImage::ImageLuma8(image) => image,
        DynamicImage::ImageLumaA8(image) => image,
        DynamicImage::ImageRgb8(image) => image,
        DynamicImage::ImageRgba8(image) => image,
        _ => &mut [],
    };
    let last = u16::from(levels.max(2) - 1);
    for sample in samples {
        let place = (u16::from(*sample) * last + 127) / 255;
        *sample = u8::try_from((place * 255 + last / 2) / last).unwrap_or(u8::MAX);
    }
    pixels
}

#[cfg(test)]
mod tests {
    use image::GrayImage;

    use super::*;

    #[test]
    fn levels_are_equidistant_and_include_both_extremes() {
        let all: DynamicImage = GrayImage::from_fn(256, 1, |x, _| image::Luma([x as u8])).into();
        for (levels, expected) in [(2, vec![0, 255]), (4, vec![0, 85, 170, 255])] {
            let mut found = posterize(&all, levels).into_bytes();
            found.dedup();
            assert_eq!(found, expected);
        }
        let mut found = posterize(&all, 32).into_bytes();
        found.dedup();
        assert_eq!(
            (found.len(), found.first(), found.last()),
            (32, Some(&0), Some(&255))
        );
    }
}
