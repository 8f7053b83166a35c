//! Red, green and blue to light and two differences of colour, of all of the range [ITU-T H.273, 8.3; ITU-R BT.601].

use image::{DynamicImage, RgbaImage};

/// Shares of red and blue in light.
const RED: f32 = 0.299;
const BLUE: f32 = 0.114;
/// No difference of colour.
const MIDDLE: f32 = 128.0;

/// Samples of 8 bits, plane by plane.
pub(super) struct Planes {
    /// Light alone if there are no colours.
    pub(super) colour: Vec<Vec<u8>>,
    /// How opaque the pixels are, if there is transparency.
    pub(super) alpha: Option<Vec<u8>>,
}

impl Planes {
    /// Takes an image apart.
    pub(super) fn of(pixels: &DynamicImage) -> Self {
        let alpha = pixels.color().has_alpha();
        match (pixels.color().has_color(), alpha) {
            (false, false) => Self {
                colour: vec![pixels.to_luma8().into_raw()],
                alpha: None,
            },
            (true, false) => Self {
                colour: differences(pixels.to_rgb8().pixels().map(|pixel| pixel.0)),
                alpha: None,
            },
            (_, true) => {
                let pixels = without_hidden(pixels.to_rgba8());
                let colours = pixels.pixels().map(|pixel| {
                    let [red, green, blue, _] = pixel.0;
                    [red, green, blue]
                });
                Self {
                    colour: differences(colours),
                    alpha: Some(pixels.pixels().map(|pixel| pixel.0[3]).collect()),
                }
            }
        }
    }
}

fn differences(pixels: impl ExactSizeIterator<Item = [u8; 3]>) -> Vec<Vec<u8>> {
    let plane = || Vec::with_capacity(pixels.len());
    let (mut light, mut to_blue, mut to_red) = (plane(), plane(), plane());
    for [red, green, blue] in pixels.map(|pixel| pixel.map(f32::from)) {
        let shade = RED * red + (1.0 - RED - BLUE) * green + BLUE * blue;
        light.push(sample(shade));
        to_blue.push(sample((blue - shade) / (2.0 * (1.0 - BLUE)) + MIDDLE));
        to_red.push(sample((red - shade) / (2.0 * (1.0 - RED)) + MIDDLE));
    }
    vec![light, to_blue, to_red]
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "within the range of samples"
)]
fn sample(value: f32) -> u8 {
    (value + 0.5).clamp(0.0, 255.0) as u8
}

/// Gives pixels that nobody sees the colour of the last seen one before them, which takes fewer bytes.
fn without_hidden(mut pixels: RgbaImage) -> RgbaImage {
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
    fn colours_are_light_and_differences() {
        let of = |pixel| Planes::of(&RgbImage::from_pixel(1, 1, Rgb(pixel)).into()).colour;
        assert_eq!(of([255, 255, 255]), [[255], [128], [128]]);
        assert_eq!(of([0, 0, 0]), [[0], [128], [128]]);
        assert_eq!(of([255, 0, 0]), [[76], [85], [255]]);
        assert_eq!(of([0, 0, 255]), [[29], [255], [107]]);
    }

    #[test]
    fn grey_has_one_plane_and_hidden_colours_are_gone() {
        let grey = image::GrayImage::from_pixel(2, 1, image::Luma([7]));
        let planes = Planes::of(&grey.into());
        assert_eq!((planes.colour, planes.alpha), (vec![vec![7, 7]], None));
        let clear = RgbaImage::from_fn(2, 1, |x, _| {
            Rgba([200, 9 * x as u8, 0, 255 * (1 - x as u8)])
        });
        let planes = Planes::of(&clear.into());
        assert_eq!(planes.alpha, Some(vec![255, 0]));
        assert!(planes.colour.iter().all(|plane| plane[0] == plane[1]));
    }
}
