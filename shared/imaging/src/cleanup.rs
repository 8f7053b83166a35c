//! Makes the picture of a page easier to read: specks go, lines of text become level, ink black and paper white, and the
//! empty edge is cut off, in this order.
//!
//! The result has 8 bits a sample and lies on white.

mod margin;
mod skew;
mod specks;
mod threshold;
mod turn;

use domain::operation::CleanupOptions;
use image::DynamicImage;

use crate::flat;

/// Cleans the picture of a page.
pub fn cleaned(pixels: DynamicImage, options: &CleanupOptions) -> DynamicImage {
    let wants = |option: Option<bool>| option.unwrap_or(false);
    let mut pixels = flat::on_white(pixels);
    if wants(options.denoise) {
        pixels = specks::removed(pixels);
    }
    if wants(options.deskew) {
        let angle = skew::angle(&pixels.to_luma8());
        pixels = angle.map_or_else(|| pixels.clone(), |angle| turn::levelled(&pixels, angle));
    }
    if wants(options.binarize) {
        pixels = threshold::black_and_white(&pixels.into_luma8()).into();
    }
    if wants(options.trim) {
        pixels = margin::trimmed(pixels);
    }
    pixels
}
