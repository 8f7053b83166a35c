//! The gray picture of a page for OCR.

use image::{DynamicImage, GrayImage, imageops};
use task::matrix::Matrix;

use super::ocr_page::Rectangle;
use super::straight;

/// A gray picture without row padding.
pub(super) struct Picture {
    /// One byte per pixel, row by row; 0 is black.
    pub(super) samples: Vec<u8>,
    /// Width in pixels.
    pub(super) width: u32,
    /// Height in pixels.
    pub(super) height: u32,
    /// Resolution in pixels per inch, if known.
    pub(super) resolution: Option<i32>,
}

/// Plausible resolutions of text; others are ignored.
const CREDIBLE: std::ops::RangeInclusive<f32> = 70.0..=2400.0;

impl Picture {
    /// Converts an image to gray on white.
    pub(super) fn of(image: DynamicImage, resolution: Option<f32>) -> Self {
        let gray = match image.color().has_alpha() {
            true => on_white(image),
            false => image.into_luma8(),
        };
        Self::gray(gray, resolution.and_then(credible))
    }

    fn gray(image: GrayImage, resolution: Option<i32>) -> Self {
        let (width, height) = image.dimensions();
        Self {
            samples: image.into_raw(),
            width,
            height,
            resolution,
        }
    }

    /// Calls `look` with each sample of a part.
    pub(super) fn each_sample(&self, part: Rectangle, mut look: impl FnMut(u8)) {
        self.each_place(part, |_, sample| look(sample));
    }

    /// Calls `look` with position and value of each sample of a part.
    pub(super) fn each_place(&self, part: Rectangle, mut look: impl FnMut((f64, f64), u8)) {
        let ((left, right), (top, bottom)) = self.within(part);
        let width = self.width as usize;
        for row in top..bottom {
            let samples = self.samples.get(row * width + left..row * width + right);
            let samples = samples.unwrap_or_default().iter().zip(left..);
            samples.for_each(|(sample, column)| look((number(column), number(row)), *sample));
        }
    }

    /// Returns the sample at a position; `None` outside.
    pub(super) fn sample(&self, (x, y): (f64, f64)) -> Option<u8> {
        let is_inside =
            (0.0..f64::from(self.width)).contains(&x) && (0.0..f64::from(self.height)).contains(&y);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "within the picture"
        )]
        let place = || y as usize * self.width as usize + x as usize;
        is_inside
            .then(place)
            .and_then(|place| self.samples.get(place).copied())
    }

    /// Paints a part white, including a margin around it.
    pub(super) fn paint_white(&mut self, part: Rectangle, margin: f64) {
        let ((left, right), (top, bottom)) = self.within(part.grown(margin));
        let width = self.width as usize;
        for row in top..bottom {
            let samples = self
                .samples
                .get_mut(row * width + left..row * width + right);
            samples.unwrap_or_default().fill(u8::MAX);
        }
    }

    /// Returns a white picture with only these parts.
    pub(super) fn with_only(&self, parts: &[Rectangle]) -> Self {
        let mut samples = vec![u8::MAX; self.samples.len()];
        let width = self.width as usize;
        for part in parts {
            let ((left, right), (top, bottom)) = self.within(*part);
            for row in top..bottom {
                let range = row * width + left..row * width + right;
                if let (Some(to), Some(from)) =
                    (samples.get_mut(range.clone()), self.samples.get(range))
                {
                    to.copy_from_slice(from);
                }
            }
        }
        Self {
            samples,
            width: self.width,
            height: self.height,
            resolution: self.resolution,
        }
    }

    /// Returns a part with a margin around it, and the matrix from its pixels to this picture.
    pub(super) fn cut(&self, part: Rectangle, margin: f64) -> (Self, Matrix) {
        let ((left, right), (top, bottom)) = self.within(part.grown(margin));
        let width = self.width as usize;
        let rows = (top..bottom).filter_map(|row| {
            let row = row * width;
            self.samples.get(row + left..row + right)
        });
        let samples: Vec<u8> = rows.flatten().copied().collect();
        let pixels = |count: usize| u32::try_from(count).unwrap_or(0);
        let cut = Self {
            samples,
            width: pixels(right - left),
            height: pixels(bottom - top),
            resolution: self.resolution,
        };
        let place = Matrix([1.0, 0.0, 0.0, 1.0, number(left), number(top)]);
        (cut, place)
    }

    /// Returns the column and row ranges of a part.
    fn within(&self, part: Rectangle) -> ((usize, usize), (usize, usize)) {
        let bounded = |place: f64, most: u32| {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "clamped to the picture"
            )]
            let place = place.clamp(0.0, f64::from(most)) as usize;
            place
        };
        let across = |place: f64| bounded(place, self.width);
        let down = |place: f64| bounded(place, self.height);
        let (left, top) = (across(part.left), down(part.top));
        (
            (left, across(part.right.ceil()).max(left)),
            (top, down(part.bottom.ceil()).max(top)),
        )
    }

    /// Returns the picture rotated clockwise, and the matrix from its pixels to this picture.
    pub(super) fn turned(&self, degrees: u32) -> Option<(Self, Matrix)> {
        let image = GrayImage::from_raw(self.width, self.height, self.samples.clone())?;
        let turned = match degrees {
            90 => imageops::rotate90(&image),
            180 => imageops::rotate180(&image),
            270 => imageops::rotate270(&image),
            _ => return None,
        };
        let back = straight::back(degrees, (self.width, self.height));
        Some((Self::gray(turned, self.resolution), back))
    }
}

/// Returns a resolution in whole pixels per inch, if it is plausible.
pub(super) fn credible(resolution: f32) -> Option<i32> {
    #[expect(clippy::cast_possible_truncation, reason = "a resolution is small")]
    let whole = resolution.round() as i32;
    CREDIBLE.contains(&resolution).then_some(whole)
}

fn on_white(image: DynamicImage) -> GrayImage {
    let image = image.into_luma_alpha8();
    let (width, height) = image.dimensions();
    let shown = |pixel: &image::LumaA<u8>| {
        let [gray, alpha] = pixel.0.map(u32::from);
        u8::try_from((gray * alpha + 255 * (255 - alpha)) / 255).unwrap_or(u8::MAX)
    };
    let samples = image.pixels().map(shown).collect();
    GrayImage::from_raw(width, height, samples).unwrap_or_default()
}

/// Converts a count to a float.
pub(super) fn number(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use image::{GrayAlphaImage, LumaA};

    use super::*;

    #[test]
    fn transparency_becomes_white() {
        let image = GrayAlphaImage::from_fn(3, 1, |x, _| LumaA([0, [255, 0, 128][x as usize]]));
        let picture = Picture::of(image.into(), Some(300.0));
        assert_eq!(picture.samples, [0, 255, 127]);
        assert_eq!(picture.resolution, Some(300));
    }

    #[test]
    fn a_rotated_picture_maps_back_to_the_original() {
        let mut image = GrayImage::from_pixel(5, 3, image::Luma([9]));
        image.put_pixel(4, 0, image::Luma([1]));
        let picture = Picture::of(image.into(), None);
        for degrees in [90, 180, 270] {
            let (turned, back) = picture.turned(degrees).unwrap();
            let at = turned
                .samples
                .iter()
                .position(|sample| *sample == 1)
                .unwrap();
            let (x, y) = (at as u32 % turned.width, at as u32 / turned.width);
            // Pixel centers map to pixel centers.
            let middle = (f64::from(x) + 0.5, f64::from(y) + 0.5);
            assert_eq!(back.apply(middle), (4.5, 0.5), "{degrees}");
        }
    }
}
