//! Background canvas for an image smaller than the requested dimensions.

use domain::operation::Color;
use image::{DynamicImage, GenericImage as _, ImageBuffer, Pixel};

/// A background of one color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Canvas {
    /// Width and height.
    pub sides: (u32, u32),
    /// Background pixels to the left of the image.
    pub left: u32,
    /// Background pixels above the image.
    pub top: u32,
    /// Background color, in sRGB.
    pub background: Color,
}

impl Canvas {
    /// Draws an sRGB image onto the background. Bit depth and transparency of the image are kept.
    pub fn draw(&self, image: &DynamicImage) -> DynamicImage {
        let [red, green, blue, opacity] = self.background.rgba();
        let kind = image.color();
        let is_wide = kind.bytes_per_pixel() > kind.channel_count();
        let is_clear = kind.has_alpha() || opacity < u8::MAX;
        let is_colored = kind.has_color() || red != green || green != blue;
        let wide = |sample: u8| u16::from(sample) * 257;
        match (is_wide, is_clear, is_colored) {
            (false, true, _) => self
                .with(image::Rgba([red, green, blue, opacity]), image.to_rgba8())
                .into(),
            (false, false, true) => self
                .with(image::Rgb([red, green, blue]), image.to_rgb8())
                .into(),
            (false, false, false) => self.with(image::Luma([red]), image.to_luma8()).into(),
            (true, true, _) => {
                let pixel = [red, green, blue, opacity].map(wide);
                self.with(image::Rgba(pixel), image.to_rgba16()).into()
            }
            (true, false, true) => {
                let pixel = [red, green, blue].map(wide);
                self.with(image::Rgb(pixel), image.to_rgb16()).into()
            }
            (true, false, false) => self
                .with(image::Luma([wide(red)]), image.to_luma16())
                .into(),
        }
    }

    fn with<P: Pixel>(
        &self,
        background: P,
        image: ImageBuffer<P, Vec<P::Subpixel>>,
    ) -> ImageBuffer<P, Vec<P::Subpixel>> {
        let (width, height) = self.sides;
        let mut whole = ImageBuffer::from_pixel(width, height, background);
        // Cannot fail: canvases are built with the image inside.
        whole.copy_from(&image, self.left, self.top).ok();
        whole
    }
}
