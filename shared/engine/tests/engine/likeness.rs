//! How much two pictures look alike.

use image::imageops::FilterType;
use image::{DynamicImage, RgbImage};

/// Mean difference of the channels of both pictures, made small to `side` pixels a side, so that the smoothing of edges
/// does not count.
pub(crate) fn difference(one: &RgbImage, other: &RgbImage, side: u32) -> f64 {
    let small = |picture: &RgbImage| {
        let picture = DynamicImage::from(picture.clone());
        picture
            .resize_exact(side, side, FilterType::Triangle)
            .into_rgb8()
    };
    let (one, other) = (small(one), small(other));
    let sum: u64 = one
        .iter()
        .zip(other.iter())
        .map(|(a, b)| u64::from(a.abs_diff(*b)))
        .sum();
    sum as f64 / one.len() as f64
}
