//! What an image is laid on that does not fill the sides that are asked for.

use domain::operation::Colour;
use image::{DynamicImage, GenericImage as _, ImageBuffer, Pixel};

/// A plain background.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Canvas {
    /// Width and height.
    pub sides: (u32, u32),
    /// Pixels of background to the left of the image.
    pub left: u32,
    /// Pixels of background above it.
    pub top: u32,
    /// The colour, in sRGB.
    pub background: Colour,
}

impl Canvas {
    /// The background with an image of sRGB on it, which keeps its depth and its transparency.
    pub fn under(&self, image: &DynamicImage) -> DynamicImage {
        let [red, green, blue, opacity] = self.background.rgba();
        let kind = image.color();
        let is_wide = kind.bytes_per_pixel() > kind.channel_count();
        let is_clear = kind.has_alpha() || opacity < u8::MAX;
        let is_coloured = kind.has_color() || red != green || green != blue;
        let wide = |sample: u8| u16::from(sample) * 257;
        match (is_wide, is_clear, is_coloured) {
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
        // It lies within the sides: whoever made the canvas placed it.
        whole.copy_from(&image, self.left, self.top).ok();
        whole
    }
}
