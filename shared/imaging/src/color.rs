//! Color management: ICC profiles → sRGB.

use std::sync::Arc;

use image::{DynamicImage, ImageBuffer, Pixel, PixelWithColorType};
use moxcms::{CmsError, ColorProfile, Layout, TransformExecutor, TransformOptions};

/// Converts pixels of at most 16 bits per sample to sRGB; `None` if the profile is invalid or for other channels.
/// Gray pixels become RGB.
pub fn to_srgb(pixels: &DynamicImage, profile: &[u8]) -> Option<DynamicImage> {
    let to = Conversion {
        from: ColorProfile::new_from_slice(profile).ok()?,
        width: pixels.width(),
    };
    match pixels {
        DynamicImage::ImageLuma8(image) => to.to_rgb8(image, Layout::Gray),
        DynamicImage::ImageRgb8(image) => to.to_rgb8(image, Layout::Rgb),
        DynamicImage::ImageLumaA8(image) => to.to_rgba8(image, Layout::GrayAlpha),
        DynamicImage::ImageRgba8(image) => to.to_rgba8(image, Layout::Rgba),
        DynamicImage::ImageLuma16(image) => to.to_rgb16(image, Layout::Gray),
        DynamicImage::ImageRgb16(image) => to.to_rgb16(image, Layout::Rgb),
        DynamicImage::ImageLumaA16(image) => to.to_rgba16(image, Layout::GrayAlpha),
        DynamicImage::ImageRgba16(image) => to.to_rgba16(image, Layout::Rgba),
        _ => None,
    }
}

/// Converts CMYK samples (255 = full ink) to sRGB.
pub(super) fn cmyk_to_srgb(cmyk: &[u8], width: u32, profile: &[u8]) -> Option<Vec<u8>> {
    let to = Conversion {
        from: ColorProfile::new_from_slice(profile).ok()?,
        width,
    };
    // moxcms uses one layout for any four channels.
    to.convert_8_bit(cmyk, Layout::Rgba, Layout::Rgb)
}

/// A conversion from a profile to sRGB, applied row by row.
struct Conversion {
    from: ColorProfile,
    width: u32,
}

type Transform<T> = Arc<dyn TransformExecutor<T> + Send + Sync>;

impl Conversion {
    fn to_rgb8(&self, samples: &[u8], layout: Layout) -> Option<DynamicImage> {
        let samples = self.convert_8_bit(samples, layout, Layout::Rgb)?;
        self.image(samples).map(DynamicImage::ImageRgb8)
    }

    fn to_rgba8(&self, samples: &[u8], layout: Layout) -> Option<DynamicImage> {
        let samples = self.convert_8_bit(samples, layout, Layout::Rgba)?;
        self.image(samples).map(DynamicImage::ImageRgba8)
    }

    fn to_rgb16(&self, samples: &[u16], layout: Layout) -> Option<DynamicImage> {
        let samples = self.convert_16_bit(samples, layout, Layout::Rgb)?;
        self.image(samples).map(DynamicImage::ImageRgb16)
    }

    fn to_rgba16(&self, samples: &[u16], layout: Layout) -> Option<DynamicImage> {
        let samples = self.convert_16_bit(samples, layout, Layout::Rgba)?;
        self.image(samples).map(DynamicImage::ImageRgba16)
    }

    fn image<P: Pixel + PixelWithColorType>(
        &self,
        samples: Vec<P::Subpixel>,
    ) -> Option<ImageBuffer<P, Vec<P::Subpixel>>> {
        let row = self.width.max(1) as usize * usize::from(P::CHANNEL_COUNT);
        let height = u32::try_from(samples.len() / row).ok()?;
        ImageBuffer::from_raw(self.width, height, samples)
    }

    fn convert_8_bit(&self, samples: &[u8], from: Layout, to: Layout) -> Option<Vec<u8>> {
        let srgb = ColorProfile::new_srgb();
        let transform =
            self.from
                .create_transform_8bit(from, &srgb, to, TransformOptions::default());
        self.apply(transform, samples, (from.channels(), to.channels()))
    }

    fn convert_16_bit(&self, samples: &[u16], from: Layout, to: Layout) -> Option<Vec<u16>> {
        let srgb = ColorProfile::new_srgb();
        let transform =
            self.from
                .create_transform_16bit(from, &srgb, to, TransformOptions::default());
        self.apply(transform, samples, (from.channels(), to.channels()))
    }

    fn apply<T: Copy + Default>(
        &self,
        transform: Result<Transform<T>, CmsError>,
        samples: &[T],
        (from, to): (usize, usize),
    ) -> Option<Vec<T>> {
        let transform = transform.ok()?;
        let row = self.width.max(1) as usize;
        let mut converted = vec![T::default(); samples.len() / from * to];
        for (source, target) in samples
            .chunks_exact(row * from)
            .zip(converted.chunks_exact_mut(row * to))
        {
            transform.transform(source, target).ok()?;
        }
        Some(converted)
    }
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage};

    use super::*;

    #[test]
    fn display_p3_is_converted_to_srgb() {
        let profile = ColorProfile::new_display_p3().encode().unwrap();
        let pixels = RgbImage::from_pixel(3, 2, Rgb([200, 100, 50])).into();
        let converted = to_srgb(&pixels, &profile).unwrap().into_rgb8();
        // Expected by the matrices of both spaces: red above, blue below the stored value.
        let Rgb([red, green, blue]) = *converted.get_pixel(2, 1);
        assert!(
            (212..=218).contains(&red) && (90..=98).contains(&green) && (26..=38).contains(&blue),
            "{red} {green} {blue}"
        );
    }

    #[test]
    fn srgb_stays_unchanged_and_gray_becomes_rgb() {
        let profile = ColorProfile::new_srgb().encode().unwrap();
        let pixels = RgbImage::from_fn(16, 16, |x, y| Rgb([x as u8 * 16, y as u8 * 16, 77]));
        let converted = to_srgb(&pixels.clone().into(), &profile).unwrap();
        let differs = |(a, b): (&u8, &u8)| a.abs_diff(*b) > 1;
        assert!(!pixels.iter().zip(converted.to_rgb8().iter()).any(differs));
        let gray = ColorProfile::new_gray_with_gamma(2.2).encode().unwrap();
        let pixels = image::GrayImage::from_pixel(2, 2, image::Luma([128])).into();
        let converted = to_srgb(&pixels, &gray).unwrap();
        assert_eq!(converted.color(), image::ColorType::Rgb8);
    }

    #[test]
    fn an_invalid_profile_converts_nothing() {
        let pixels = RgbImage::new(1, 1).into();
        assert!(to_srgb(&pixels, b"profile").is_none());
    }
}
