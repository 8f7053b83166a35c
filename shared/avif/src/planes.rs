//! RGB → YCbCr, full range, coefficients of BT.601 [ITU-T H.273, 8.3; ITU-R BT.601].

use image::{DynamicImage, RgbaImage};

/// Luma coefficients of red and blue (Kr, Kb).
const RED: f32 = 0.299;
const BLUE: f32 = 0.114;
/// Chroma value of neutral gray.
const MIDDLE: f32 = 128.0;

/// 8-bit sample planes.
pub(super) struct Planes {
    /// Y, Cb and Cr, or Y alone for gray.
    pub(super) color: Vec<Vec<u8>>,
    /// Alpha plane, if the image has an alpha channel.
    pub(super) alpha: Option<Vec<u8>>,
}

impl Planes {
    /// Splits an image into planes.
    pub(super) fn of(pixels: &DynamicImage) -> Self {
        let alpha = pixels.color().has_alpha();
        match (pixels.color().has_color(), alpha) {
            (false, false) => Self {
                color: vec![pixels.to_luma8().into_raw()],
                alpha: None,
            },
            (true, false) => Self {
                color: ycbcr_planes(pixels.to_rgb8().pixels().map(|pixel| pixel.0)),
                alpha: None,
            },
            (_, true) => {
                let pixels = with_uniform_hidden_color(pixels.to_rgba8());
                let colors = pixels.pixels().map(|pixel| {
                    let [red, green, blue, _] = pixel.0;
                    [red, green, blue]
                });
                Self {
                    color: ycbcr_planes(colors),
                    alpha: Some(pixels.pixels().map(|pixel| pixel.0[3]).collect()),
                }
            }
        }
    }
}

fn ycbcr_planes(pixels: impl ExactSizeIterator<Item = [u8; 3]>) -> Vec<Vec<u8>> {
    let plane = || Vec::with_capacity(pixels.len());
    let (mut luma, mut cb, mut cr) = (plane(), plane(), plane());
    for [red, green, blue] in pixels.map(|pixel| pixel.map(f32::from)) {
        let y = RED * red + (1.0 - RED - BLUE) * green + BLUE * blue;
        luma.push(sample(y));
        cb.push(sample((blue - y) / (2.0 * (1.0 - BLUE)) + MIDDLE));
        cr.push(sample((red - y) / (2.0 * (1.0 - RED)) + MIDDLE));
    }
    vec![luma, cb, cr]
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "within the range of samples"
)]
fn sample(value: f32) -> u8 {
    (value + 0.5).clamp(0.0, 255.0) as u8
}

/// Gives fully transparent pixels the color of the last visible pixel before them, which compresses better.
fn with_uniform_hidden_color(mut pixels: RgbaImage) -> RgbaImage {
    let mut last = [0; 3];
    for pixel in pixels.pixels_mut() {
        let [red, green, blue, alpha] = pixel.0;
        match alpha {
            0 => {
                let [red, green, blue] = last;
                pixel.0 = [red, green, blue, 0];
            }
            _ => last = [red, green, blue],
        }
    }
    pixels
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage, Rgba};

    use super::*;

    #[test]
    fn rgb_becomes_ycbcr() {
        let of = |pixel| Planes::of(&RgbImage::from_pixel(1, 1, Rgb(pixel)).into()).color;
        assert_eq!(of([255, 255, 255]), [[255], [128], [128]]);
        assert_eq!(of([0, 0, 0]), [[0], [128], [128]]);
        assert_eq!(of([255, 0, 0]), [[76], [85], [255]]);
        assert_eq!(of([0, 0, 255]), [[29], [255], [107]]);
    }

    #[test]
    fn gray_has_one_plane_and_transparent_pixels_repeat_a_color() {
        let gray = image::GrayImage::from_pixel(2, 1, image::Luma([7]));
        let planes = Planes::of(&gray.into());
        assert_eq!((planes.color, planes.alpha), (vec![vec![7, 7]], None));
        let clear = RgbaImage::from_fn(2, 1, |x, _| {
            Rgba([200, 9 * x as u8, 0, 255 * (1 - x as u8)])
        });
        let planes = Planes::of(&clear.into());
        assert_eq!(planes.alpha, Some(vec![255, 0]));
        assert!(planes.color.iter().all(|plane| plane[0] == plane[1]));
    }
}
