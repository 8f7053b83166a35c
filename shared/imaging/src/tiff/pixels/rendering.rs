//! Samples of a TIFF page → pixels, in sRGB unless an ICC profile applies to them.

use image::{DynamicImage, ImageBuffer, Luma, LumaA, Pixel, Rgb, Rgba};
use task::{TaskError, TaskResult};
use tiff::tags::PhotometricInterpretation as Photometric;

use super::layout::{Alpha, PixelLayout};
use super::samples::Samples;
use crate::color;
use crate::ycbcr::to_rgb;

/// Converts the samples by the color space of the page.
pub(super) fn render(
    samples: &Samples,
    layout: &PixelLayout,
    palette: &[u16],
    profile: Option<&[u8]>,
) -> TaskResult<DynamicImage> {
    if matches!(
        layout.photometric,
        Photometric::TransparencyMask | Photometric::ItuLab
    ) {
        return Err(TaskError::unsupported_variant());
    }
    let by_profile = profile.filter(|_| layout.photometric == Photometric::CMYK);
    if let Some(pixels) = by_profile.and_then(|profile| cmyk_by_profile(samples, layout, profile)) {
        return Ok(pixels);
    }
    let page = Page {
        samples,
        layout,
        palette,
    };
    let gray = |pixel: usize| [page.gray(pixel)];
    let gray_alpha = |pixel: usize| {
        let ([gray], alpha) = page.straight([page.gray(pixel)], pixel);
        [gray, alpha]
    };
    let color = |pixel: usize| page.color(pixel);
    let color_alpha = |pixel: usize| {
        let ([red, green, blue], alpha) = page.straight(page.color(pixel), pixel);
        [red, green, blue, alpha]
    };
    let (sides, is_wide) = (layout.sides, layout.bits > 8);
    let is_gray = matches!(
        layout.photometric,
        Photometric::WhiteIsZero | Photometric::BlackIsZero
    );
    let image: Option<DynamicImage> = match (is_gray, layout.alpha.is_some(), is_wide) {
        (true, false, false) => build::<Luma<u8>, 1>(sides, gray).map(Into::into),
        (true, false, true) => build::<Luma<u16>, 1>(sides, gray).map(Into::into),
        (true, true, false) => build::<LumaA<u8>, 2>(sides, gray_alpha).map(Into::into),
        (true, true, true) => build::<LumaA<u16>, 2>(sides, gray_alpha).map(Into::into),
        (false, false, false) => build::<Rgb<u8>, 3>(sides, color).map(Into::into),
        (false, false, true) => build::<Rgb<u16>, 3>(sides, color).map(Into::into),
        (false, true, false) => build::<Rgba<u8>, 4>(sides, color_alpha).map(Into::into),
        (false, true, true) => build::<Rgba<u16>, 4>(sides, color_alpha).map(Into::into),
    };
    image.ok_or_else(TaskError::input_corrupt)
}

/// Converts CMYK by its ICC profile; `None` if the profile is unreadable.
fn cmyk_by_profile(
    samples: &Samples,
    layout: &PixelLayout,
    profile: &[u8],
) -> Option<DynamicImage> {
    let (width, height) = layout.sides;
    let pixels = 0..width as usize * height as usize;
    let inks = pixels.flat_map(|pixel| [0, 1, 2, 3].map(|ink| samples.at(pixel, ink)));
    let inks: Vec<u8> = inks.map(u8::from_share).collect();
    let rgb = color::cmyk_to_srgb(&inks, width, profile)?;
    image::RgbImage::from_raw(width, height, rgb).map(Into::into)
}

/// A page whose pixels are computed one by one.
struct Page<'a> {
    samples: &'a Samples,
    layout: &'a PixelLayout,
    palette: &'a [u16],
}

impl Page<'_> {
    fn gray(&self, pixel: usize) -> f32 {
        let light = self.samples.at(pixel, 0);
        match self.layout.photometric {
            Photometric::WhiteIsZero => 1.0 - light,
            _ => light,
        }
    }

    fn color(&self, pixel: usize) -> [f32; 3] {
        let sample = |index: usize| self.samples.at(pixel, index);
        match self.layout.photometric {
            Photometric::RGBPalette => self.palette_color(sample(0)),
            Photometric::CMYK => {
                let black = 1.0 - sample(3);
                [0, 1, 2].map(|ink| (1.0 - sample(ink)) * black)
            }
            Photometric::YCbCr => {
                let mut bytes = [0, 1, 2].map(|index| u8::from_share(sample(index)));
                to_rgb(&mut bytes);
                bytes.map(|byte| f32::from(byte) / 255.0)
            }
            Photometric::CIELab => {
                // The high byte, and for 16 bits a fraction.
                let scale = if self.layout.bits > 8 { 255.996 } else { 255.0 };
                let signed = |share: f32| match share * scale {
                    unsigned if unsigned >= 128.0 => unsigned - 256.0,
                    unsigned => unsigned,
                };
                lab_to_srgb(sample(0), signed(sample(1)), signed(sample(2)))
            }
            Photometric::IccLab => {
                let offset = |share: f32| share * 255.0 - 128.0;
                lab_to_srgb(sample(0), offset(sample(1)), offset(sample(2)))
            }
            _ => [sample(0), sample(1), sample(2)],
        }
    }

    /// Returns a color of the palette: all reds are before all greens, these before all blues.
    fn palette_color(&self, share: f32) -> [f32; 3] {
        let count = self.palette.len() / 3;
        let most = (1_u32 << self.layout.bits.min(16)) - 1;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_precision_loss,
            clippy::cast_sign_loss,
            reason = "an index of 16 bits"
        )]
        let index = (share * most as f32).round() as usize;
        [0, 1, 2].map(|channel| {
            let entry = self.palette.get(channel * count + index);
            f32::from(entry.copied().unwrap_or(0)) / f32::from(u16::MAX)
        })
    }

    /// Returns a color that is not multiplied by its alpha, with the alpha.
    fn straight<const N: usize>(&self, color: [f32; N], pixel: usize) -> ([f32; N], f32) {
        let alpha = self.samples.at(pixel, self.layout.channels());
        match self.layout.alpha {
            Some(Alpha::Premultiplied) if alpha > 0.0 => {
                (color.map(|channel| (channel / alpha).min(1.0)), alpha)
            }
            _ => (color, alpha),
        }
    }
}

/// CIELAB of white point D50 → sRGB, by XYZ and the Bradford transform [ICC.1:2022, annex A; IEC 61966-2-1].
fn lab_to_srgb(lightness: f32, green_red: f32, blue_yellow: f32) -> [f32; 3] {
    const WHITE: [f32; 3] = [0.9642, 1.0, 0.8249];
    const XYZ_TO_LINEAR: [[f32; 3]; 3] = [
        [3.133_856, -1.616_867, -0.490_615],
        [-0.978_768, 1.916_141, 0.033_454],
        [0.071_945, -0.228_991, 1.405_243],
    ];
    let middle = (lightness * 100.0 + 16.0) / 116.0;
    let roots = [
        middle + green_red / 500.0,
        middle,
        middle - blue_yellow / 200.0,
    ];
    let light = roots.map(|root| match root {
        root if root > 6.0 / 29.0 => root.powi(3),
        root => (root - 4.0 / 29.0) * 108.0 / 841.0,
    });
    let [x, y, z] = light;
    let [white_x, white_y, white_z] = WHITE;
    XYZ_TO_LINEAR.map(|[by_x, by_y, by_z]| {
        match by_x * x * white_x + by_y * y * white_y + by_z * z * white_z {
            linear if linear <= 0.003_130_8 => linear * 12.92,
            linear => 1.055 * linear.powf(1.0 / 2.4) - 0.055,
        }
    })
}

/// Builds an image of `N` channels from the values of each pixel.
fn build<P, const N: usize>(
    (width, height): (u32, u32),
    values: impl Fn(usize) -> [f32; N],
) -> Option<ImageBuffer<P, Vec<P::Subpixel>>>
where
    P: Pixel<Subpixel: FromShare>,
{
    let pixels = 0..width as usize * height as usize;
    let mut subpixels = Vec::with_capacity(pixels.len() * N);
    subpixels.extend(pixels.flat_map(|pixel| values(pixel).map(P::Subpixel::from_share)));
    ImageBuffer::from_raw(width, height, subpixels)
}

trait FromShare {
    /// Returns the sample for a share of full brightness.
    fn from_share(share: f32) -> Self;
}

impl FromShare for u8 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "floats saturate"
    )]
    fn from_share(share: f32) -> Self {
        (share * 255.0).round() as Self
    }
}

impl FromShare for u16 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "floats saturate"
    )]
    fn from_share(share: f32) -> Self {
        (share * 65_535.0).round() as Self
    }
}
