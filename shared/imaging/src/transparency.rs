//! Alpha channel: detection of transparency, and flattening onto white.

use image::{DynamicImage, GrayImage, Luma, Rgb, RgbImage, Rgba};

/// Returns whether any pixel is not fully opaque.
pub(crate) fn is_transparent(pixels: &DynamicImage) -> bool {
    match pixels {
        DynamicImage::ImageLumaA8(image) => image.pixels().any(|pixel| pixel.0[1] != u8::MAX),
        DynamicImage::ImageRgba8(image) => image.pixels().any(|pixel| pixel.0[3] != u8::MAX),
        DynamicImage::ImageLumaA16(image) => image.pixels().any(|pixel| pixel.0[1] != u16::MAX),
        DynamicImage::ImageRgba16(image) => image.pixels().any(|pixel| pixel.0[3] != u16::MAX),
        DynamicImage::ImageRgba32F(image) => image.pixels().any(|pixel| pixel.0[3] < 1.0),
        _ => false,
    }
}

/// Limits samples to 16 bits and removes an alpha channel that is opaque throughout.
pub fn normalize(pixels: DynamicImage) -> DynamicImage {
    let pixels = match pixels {
        DynamicImage::ImageRgb32F(_) => DynamicImage::ImageRgb16(pixels.into_rgb16()),
        DynamicImage::ImageRgba32F(_) => DynamicImage::ImageRgba16(pixels.into_rgba16()),
        pixels => pixels,
    };
    if is_transparent(&pixels) {
        return pixels;
    }
    match pixels {
        DynamicImage::ImageLumaA8(_) => DynamicImage::ImageLuma8(pixels.into_luma8()),
        DynamicImage::ImageRgba8(_) => DynamicImage::ImageRgb8(pixels.into_rgb8()),
        DynamicImage::ImageLumaA16(_) => DynamicImage::ImageLuma16(pixels.into_luma16()),
        DynamicImage::ImageRgba16(_) => DynamicImage::ImageRgb16(pixels.into_rgb16()),
        pixels => pixels,
    }
}

/// Flattens the image onto white, with 8 bits per sample.
pub fn flatten_on_white(pixels: DynamicImage) -> DynamicImage {
    if !pixels.color().has_alpha() {
        return to_8_bit(pixels);
    }
    if !pixels.color().has_color() {
        let source = pixels.into_luma_alpha8();
        let mut flat = GrayImage::new(source.width(), source.height());
        for (from, to) in source.pixels().zip(flat.pixels_mut()) {
            let [gray, alpha] = from.0;
            *to = Luma([blend_on_white(gray, alpha)]);
        }
        return flat.into();
    }
    let source = pixels.into_rgba8();
    let mut flat = RgbImage::new(source.width(), source.height());
    for (from, to) in source.pixels().zip(flat.pixels_mut()) {
        let Rgba([red, green, blue, alpha]) = *from;
        *to = Rgb([red, green, blue].map(|channel| blend_on_white(channel, alpha)));
    }
    flat.into()
}

/// Blends one channel over white.
pub fn blend_on_white(channel: u8, alpha: u8) -> u8 {
    let (channel, alpha) = (u16::from(channel), u16::from(alpha));
    u8::try_from((channel * alpha + 255 * (255 - alpha) + 127) / 255).unwrap_or(255)
}

/// Converts the image to 8 bits per sample.
pub fn to_8_bit(pixels: DynamicImage) -> DynamicImage {
    let kind = pixels.color();
    if kind.bytes_per_pixel() == kind.channel_count() {
        return pixels;
    }
    match (kind.has_color(), kind.has_alpha()) {
        (false, false) => pixels.into_luma8().into(),
        (false, true) => pixels.into_luma_alpha8().into(),
        (true, false) => pixels.into_rgb8().into(),
        (true, true) => pixels.into_rgba8().into(),
    }
}

#[cfg(test)]
mod tests {
    use image::{ColorType, RgbaImage};

    use super::*;

    #[test]
    fn transparent_pixels_blend_with_white() {
        let pixels = RgbaImage::from_fn(3, 1, |x, _| Rgba([10, 20, 30, [0, 128, 255][x as usize]]));
        let flat = flatten_on_white(pixels.into()).into_rgb8();
        let found: Vec<[u8; 3]> = flat.pixels().map(|pixel| pixel.0).collect();
        assert_eq!(found, [[255, 255, 255], [132, 137, 142], [10, 20, 30]]);
    }

    #[test]
    fn an_opaque_alpha_channel_is_removed() {
        let opaque = RgbaImage::from_pixel(2, 2, Rgba([1, 2, 3, 255]));
        assert_eq!(normalize(opaque.clone().into()).color(), ColorType::Rgb8);
        let mut clear = opaque;
        clear.get_pixel_mut(1, 1).0[3] = 254;
        assert_eq!(normalize(clear.into()).color(), ColorType::Rgba8);
        let float = DynamicImage::new_rgba32f(1, 1);
        assert_eq!(normalize(float).color(), ColorType::Rgba16);
    }
}
