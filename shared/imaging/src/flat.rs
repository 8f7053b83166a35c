//! Transparency: whether there is any, and what the image looks like on white.

use image::{DynamicImage, GrayImage, Luma, Rgb, RgbImage, Rgba};

/// Whether any pixel shows something of what lies below.
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

/// The image with at most 16 bits a sample, and with transparency only if there is any.
pub fn plain(pixels: DynamicImage) -> DynamicImage {
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

/// The image on white, with 8 bits a sample.
pub fn on_white(pixels: DynamicImage) -> DynamicImage {
    if !pixels.color().has_alpha() {
        return narrow(pixels);
    }
    if !pixels.color().has_color() {
        let source = pixels.into_luma_alpha8();
        let mut flat = GrayImage::new(source.width(), source.height());
        for (from, to) in source.pixels().zip(flat.pixels_mut()) {
            let [grey, alpha] = from.0;
            *to = Luma([over_white(grey, alpha)]);
        }
        return flat.into();
    }
    let source = pixels.into_rgba8();
    let mut flat = RgbImage::new(source.width(), source.height());
    for (from, to) in source.pixels().zip(flat.pixels_mut()) {
        let Rgba([red, green, blue, alpha]) = *from;
        *to = Rgb([red, green, blue].map(|channel| over_white(channel, alpha)));
    }
    flat.into()
}

/// What a channel becomes on white.
pub fn over_white(channel: u8, alpha: u8) -> u8 {
    let (channel, alpha) = (u16::from(channel), u16::from(alpha));
    u8::try_from((channel * alpha + 255 * (255 - alpha) + 127) / 255).unwrap_or(255)
}

/// The image with 8 bits a sample.
pub fn narrow(pixels: DynamicImage) -> DynamicImage {
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
    fn transparency_becomes_white_by_its_share() {
        let pixels = RgbaImage::from_fn(3, 1, |x, _| Rgba([10, 20, 30, [0, 128, 255][x as usize]]));
        let flat = on_white(pixels.into()).into_rgb8();
        let found: Vec<[u8; 3]> = flat.pixels().map(|pixel| pixel.0).collect();
        assert_eq!(found, [[255, 255, 255], [132, 137, 142], [10, 20, 30]]);
    }

    #[test]
    fn a_channel_that_says_nothing_goes() {
        let opaque = RgbaImage::from_pixel(2, 2, Rgba([1, 2, 3, 255]));
        assert_eq!(plain(opaque.clone().into()).color(), ColorType::Rgb8);
        let mut clear = opaque;
        clear.get_pixel_mut(1, 1).0[3] = 254;
        assert_eq!(plain(clear.into()).color(), ColorType::Rgba8);
        let float = DynamicImage::new_rgba32f(1, 1);
        assert_eq!(plain(float).color(), ColorType::Rgba16);
    }
}
