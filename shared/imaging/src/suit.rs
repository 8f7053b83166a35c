//! What the format of a result cannot hold is taken out of an image first, and told.

use domain::format::Format;
use image::DynamicImage;
use task::Remark;

use super::encode::has_more_than_a_palette;
use super::{Upright, colour, flat};

/// The image as a format holds it: with no more bits a sample, transparency only where it can be, and in sRGB where its
/// colour profile cannot be written.
pub fn suited(image: Upright, to: Format) -> (Upright, Vec<Remark>) {
    let mut remarks = Vec::new();
    let (density, metadata, is_damaged) = (image.density, image.metadata, image.is_damaged);
    let (pixels, profile, remark) = profiled(image.pixels, image.profile, to);
    remarks.extend(remark);
    let pixels = match (to, pixels) {
        // Grey with transparency is what few readers of TIFF know.
        (Format::Tiff, DynamicImage::ImageLumaA8(image)) => {
            DynamicImage::ImageLumaA8(image).into_rgba8().into()
        }
        (Format::Tiff, DynamicImage::ImageLumaA16(image)) => {
            DynamicImage::ImageLumaA16(image).into_rgba16().into()
        }
        (Format::Png | Format::Tiff, pixels) => pixels,
        (_, pixels) => flat::narrow(pixels),
    };
    if loses_transparency(to, &pixels) {
        remarks.push(Remark::TransparencyRemoved);
    }
    let pixels = match to {
        Format::Jpeg | Format::Bmp => flat::on_white(pixels),
        Format::Gif => {
            let pixels = pixels.into_rgba8();
            if has_more_than_a_palette(&pixels) {
                remarks.push(Remark::ColoursReduced);
            }
            pixels.into()
        }
        _ => pixels,
    };
    let image = Upright {
        pixels,
        profile,
        density,
        metadata,
        is_damaged,
    };
    (image, remarks)
}

/// The pixels with their colour profile, or in sRGB without it where the format does not hold it.
pub fn profiled(
    pixels: DynamicImage,
    profile: Option<Vec<u8>>,
    to: Format,
) -> (DynamicImage, Option<Vec<u8>>, Option<Remark>) {
    match profile {
        Some(profile) if !holds_profile(to, &pixels) => match colour::to_srgb(&pixels, &profile) {
            Some(converted) => (converted, None, None),
            None => (pixels, None, Some(Remark::ColourProfileDropped)),
        },
        profile => (pixels, profile, None),
    }
}

/// Whether a format holds the colour profile of these pixels: GIF and BMP hold none, AVIF none here, WebP none of grey,
/// TIFF none of grey with transparency.
pub fn holds_profile(to: Format, pixels: &DynamicImage) -> bool {
    match to {
        Format::Gif | Format::Bmp | Format::Avif => false,
        Format::Webp => pixels.color().has_color(),
        Format::Tiff => pixels.color().has_color() || !pixels.color().has_alpha(),
        _ => true,
    }
}

/// Whether a format holds transparency in all its shades.
pub fn holds_transparency(to: Format) -> bool {
    matches!(to, Format::Png | Format::Webp | Format::Avif | Format::Tiff)
}

/// Whether a format does not hold the transparency of an image, which has it only where there is any.
pub fn loses_transparency(to: Format, pixels: &DynamicImage) -> bool {
    match to {
        Format::Gif => match pixels {
            DynamicImage::ImageRgba8(image) => image.pixels().any(|pixel| is_partial(pixel.0[3])),
            DynamicImage::ImageLumaA8(image) => image.pixels().any(|pixel| is_partial(pixel.0[1])),
            _ => false,
        },
        to => !holds_transparency(to) && pixels.color().has_alpha(),
    }
}

fn is_partial(alpha: u8) -> bool {
    !matches!(alpha, 0 | u8::MAX)
}
