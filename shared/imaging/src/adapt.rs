//! Adapts an image to the target format and reports as warnings what that format cannot store.

use domain::format::Format;
use image::DynamicImage;
use task::Warning;

use super::encode::exceeds_palette;
use super::{UprightImage, color, transparency};

/// Reduces bit depth and transparency to what the format supports, and converts to sRGB if it cannot store the color
/// profile.
pub fn adapt(image: UprightImage, to: Format) -> (UprightImage, Vec<Warning>) {
    let mut warnings = Vec::new();
    let (density, metadata, is_damaged) = (image.density, image.metadata, image.is_damaged);
    let (pixels, profile, warning) = adapt_profile(image.pixels, image.profile, to);
    warnings.extend(warning);
    let pixels = match (to, pixels) {
        // Few TIFF readers support gray with alpha.
        (Format::Tiff, DynamicImage::ImageLumaA8(image)) => {
            DynamicImage::ImageLumaA8(image).into_rgba8().into()
        }
        (Format::Tiff, DynamicImage::ImageLumaA16(image)) => {
            DynamicImage::ImageLumaA16(image).into_rgba16().into()
        }
        (Format::Png | Format::Tiff, pixels) => pixels,
        (_, pixels) => transparency::to_8_bit(pixels),
    };
    if loses_transparency(to, &pixels) {
        warnings.push(Warning::TransparencyRemoved);
    }
    let pixels = match to {
        Format::Jpeg | Format::Bmp => transparency::flatten_on_white(pixels),
        Format::Gif => {
            let pixels = pixels.into_rgba8();
            if exceeds_palette(&pixels) {
                warnings.push(Warning::ColorsReduced);
            }
            pixels.into()
        }
        _ => pixels,
    };
    let image = UprightImage {
        pixels,
        profile,
        density,
        metadata,
        is_damaged,
    };
    (image, warnings)
}

/// Returns the pixels with their color profile, or converted to sRGB if the format cannot store the profile.
pub fn adapt_profile(
    pixels: DynamicImage,
    profile: Option<Vec<u8>>,
    to: Format,
) -> (DynamicImage, Option<Vec<u8>>, Option<Warning>) {
    match profile {
        Some(profile) if !supports_profile(to, &pixels) => {
            match color::to_srgb(&pixels, &profile) {
                Some(converted) => (converted, None, None),
                None => (pixels, None, Some(Warning::ColorProfileDropped)),
            }
        }
        profile => (pixels, profile, None),
    }
}

/// Returns whether the format can store the color profile of these pixels: GIF and BMP cannot, the AVIF writer does not,
/// WebP cannot for gray, TIFF cannot for gray with alpha.
pub fn supports_profile(to: Format, pixels: &DynamicImage) -> bool {
    match to {
        Format::Gif | Format::Bmp | Format::Avif => false,
        Format::Webp => pixels.color().has_color(),
        Format::Tiff => pixels.color().has_color() || !pixels.color().has_alpha(),
        _ => true,
    }
}

/// Returns whether the format stores partial transparency.
pub fn supports_transparency(to: Format) -> bool {
    matches!(to, Format::Png | Format::Webp | Format::Avif | Format::Tiff)
}

/// Returns whether the format loses transparency of the image. Assumes that an alpha channel is present only if needed.
pub fn loses_transparency(to: Format, pixels: &DynamicImage) -> bool {
    match to {
        Format::Gif => match pixels {
            DynamicImage::ImageRgba8(image) => image.pixels().any(|pixel| is_partial(pixel.0[3])),
            DynamicImage::ImageLumaA8(image) => image.pixels().any(|pixel| is_partial(pixel.0[1])),
            _ => false,
        },
        to => !supports_transparency(to) && pixels.color().has_alpha(),
    }
}

fn is_partial(alpha: u8) -> bool {
    !matches!(alpha, 0 | u8::MAX)
}
