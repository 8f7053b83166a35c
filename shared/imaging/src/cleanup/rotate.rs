//! Rotation by any angle with Catmull-Rom (bicubic) interpolation. Uncovered areas become white.

use image::{DynamicImage, GrayImage, RgbImage};

const WHITE: f32 = 255.0;

/// Deskews a page by its clockwise skew in degrees. The dimensions grow so that nothing is cut off.
pub(super) fn deskew(pixels: &DynamicImage, angle: f64) -> DynamicImage {
    match pixels {
        DynamicImage::ImageLuma8(image) => {
            let (width, height, samples) = rotated::<1>(image, image.dimensions(), angle);
            let rotated = GrayImage::from_raw(width, height, samples);
            rotated.map_or_else(|| pixels.clone(), DynamicImage::ImageLuma8)
        }
        other => {
            let image = other.to_rgb8();
            let (width, height, samples) = rotated::<3>(&image, image.dimensions(), angle);
            let rotated = RgbImage::from_raw(width, height, samples);
            rotated.map_or_else(|| pixels.clone(), DynamicImage::ImageRgb8)
        }
    }
}

fn rotated<const CHANNELS: usize>(
    samples: &[u8],
    (width, height): (u32, u32),
    angle: f64,
) -> (u32, u32, Vec<u8>) {
    let (sine, cosine) = angle.to_radians().sin_cos();
    let (wide, high) = (f64::from(width), f64::from(height));
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "at most twice a side"
    )]
    let side = |length: f64| (length - 1e-6).ceil().max(1.0) as u32;
    let across = side(wide * cosine + high * sine.abs());
    let down = side(wide * sine.abs() + high * cosine);
    let source = Source::<CHANNELS> {
        samples,
        width: width as usize,
        height: height as usize,
    };
    let mut result = Vec::with_capacity(across as usize * down as usize * CHANNELS);
    for row in 0..down {
        let y = f64::from(row) + 0.5 - f64::from(down) / 2.0;
        for column in 0..across {
            let x = f64::from(column) + 0.5 - f64::from(across) / 2.0;
            let from_left = x * cosine - y * sine + wide / 2.0 - 0.5;
            let from_top = x * sine + y * cosine + high / 2.0 - 0.5;
            result.extend(source.at(from_left, from_top));
        }
    }
    (across, down, result)
}

struct Source<'a, const CHANNELS: usize> {
    samples: &'a [u8],
    width: usize,
    height: usize,
}

impl<const CHANNELS: usize> Source<'_, CHANNELS> {
    /// Interpolates between sixteen pixels.
    fn at(&self, x: f64, y: f64) -> [u8; CHANNELS] {
        let (left, top) = (x.floor(), y.floor());
        #[expect(clippy::cast_possible_truncation, reason = "a fraction of a pixel")]
        let (across, down) = (weights((x - left) as f32), weights((y - top) as f32));
        #[expect(
            clippy::cast_possible_truncation,
            reason = "close to a coordinate within the image"
        )]
        let (left, top) = (left as isize - 1, top as isize - 1);
        let mut sums = [0.0; CHANNELS];
        for (weight, row) in down.into_iter().zip(top..) {
            match self.four_pixels(left, row) {
                Some(four_pixels) => {
                    for (share, pixel) in across.into_iter().zip(four_pixels.chunks_exact(CHANNELS))
                    {
                        for (sum, sample) in sums.iter_mut().zip(pixel) {
                            *sum += weight * share * f32::from(*sample);
                        }
                    }
                }
                None => {
                    for (share, column) in across.into_iter().zip(left..) {
                        let pixel = self.pixel(column, row);
                        for (sum, sample) in sums.iter_mut().zip(pixel) {
                            *sum += weight * share * sample;
                        }
                    }
                }
            }
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "clamped to a byte"
        )]
        sums.map(|sum| (sum + 0.5).clamp(0.0, 255.0) as u8)
    }

    /// Returns four pixels of a row if all are within the image.
    fn four_pixels(&self, left: isize, row: isize) -> Option<&[u8]> {
        let left = usize::try_from(left).ok()?;
        let row = usize::try_from(row).ok().filter(|row| *row < self.height)?;
        if left + 4 > self.width {
            return None;
        }
        let begin = (row * self.width + left) * CHANNELS;
        self.samples.get(begin..begin + 4 * CHANNELS)
    }

    /// Returns a pixel; white outside the image.
    fn pixel(&self, column: isize, row: isize) -> [f32; CHANNELS] {
        let inside = |at: isize, length: usize| usize::try_from(at).ok().filter(|at| *at < length);
        let found = inside(column, self.width)
            .zip(inside(row, self.height))
            .and_then(|(column, row)| {
                let begin = (row * self.width + column) * CHANNELS;
                self.samples.get(begin..begin + CHANNELS)
            });
        let mut pixel = [WHITE; CHANNELS];
        for (to, from) in pixel.iter_mut().zip(found.unwrap_or_default()) {
            *to = f32::from(*from);
        }
        pixel
    }
}

/// Returns the Catmull-Rom weights of four pixels for a position at distance `at` from the second.
fn weights(at: f32) -> [f32; 4] {
    let (square, cube) = (at * at, at * at * at);
    [
        (-cube + 2.0 * square - at) / 2.0,
        (3.0 * cube - 5.0 * square + 2.0) / 2.0,
        (-3.0 * cube + 4.0 * square + at) / 2.0,
        (cube - square) / 2.0,
    ]
}

#[cfg(test)]
mod tests {
    use image::Luma;

    use super::*;

    #[test]
    fn rotation_by_zero_changes_nothing_and_other_rotations_crop_nothing() {
        let page = GrayImage::from_fn(40, 30, |x, y| Luma([(x * y % 251) as u8]));
        let same = deskew(&page.clone().into(), 0.0);
        assert_eq!(same.into_luma8(), page);
        let black = GrayImage::new(200, 100);
        let rotated = deskew(&black.into(), 10.0).into_luma8();
        assert_eq!(rotated.dimensions(), (215, 134));
        let ink: f64 = rotated
            .iter()
            .map(|sample| 255.0 - f64::from(*sample))
            .sum();
        assert!((ink / 255.0 / 20_000.0 - 1.0).abs() < 0.02, "{ink}");
        assert_eq!(rotated.get_pixel(0, 0).0, [255]);
    }
}
