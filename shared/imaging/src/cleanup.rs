//! Cleanup of scanned pages: despeckling, deskewing, binarization and trimming of empty margins, in this order.
//!
//! The result has 8 bits per sample and no transparency.

mod binarize;
mod despeckle;
mod rotate;
mod skew;
mod trim;

use domain::operation::CleanupOptions;
use image::DynamicImage;

use crate::transparency;

/// Applies the requested cleanup steps to a page image.
pub fn clean_up(pixels: DynamicImage, options: &CleanupOptions) -> DynamicImage {
    let wants = |option: Option<bool>| option.unwrap_or(false);
    let mut pixels = transparency::flatten_on_white(pixels);
    if wants(options.denoise) {
        pixels = despeckle::despeckle(pixels);
    }
    if wants(options.deskew) {
        let angle = skew::angle(&pixels.to_luma8());
        pixels = angle.map_or_else(|| pixels.clone(), |angle| rotate::deskew(&pixels, angle));
    }
    if wants(options.binarize) {
        pixels = binarize::binarize(&pixels.into_luma8()).into();
    }
    if wants(options.trim) {
        pixels = trim::trim(pixels);
    }
    pixels
}
