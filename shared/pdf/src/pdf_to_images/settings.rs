//! Settings of page images: format, quality, resolution, and the resulting size in pixels.

use domain::format::Format;
use domain::limits::PIXELS;
use domain::operation::Operation;
use imaging::encode;
use imaging::scale::fit_within;
use pdfium_render::prelude::PdfDocument;
use task::{Task, TaskError, TaskResult, Warning};

use crate::pdfium;

/// Default resolution in pixels per inch.
const RESOLUTION: u16 = 150;
/// Default quality of lossy formats.
const QUALITY: u8 = 80;

/// Settings of page images.
pub(super) struct ImageSettings {
    pub(super) format: Format,
    pub(super) quality: u8,
    /// Resolution in pixels per inch.
    resolution: u16,
    /// Maximum side in pixels that the plan allows.
    max_side: u32,
}

impl ImageSettings {
    /// Reads the settings of a task.
    pub(super) fn of(task: &Task) -> Self {
        let options = match &task.operation {
            Operation::Convert(options) => Some(options),
            _ => None,
        };
        let resolution = options.and_then(|options| options.resolution);
        let quality = options.and_then(|options| options.image_quality);
        Self {
            format: task.to,
            quality: quality.map_or(QUALITY, |quality| quality.value()),
            resolution: resolution.map_or(RESOLUTION, |resolution| resolution.value()),
            max_side: task.limits.image_side,
        }
    }
}

/// Sizes of page images.
pub(super) struct ImageSizes {
    /// Width and height of each image in pixels.
    pub(super) sides: Vec<(u32, u32)>,
    /// Pages that are too large at the requested resolution.
    limited: Vec<u32>,
    /// The lowest resolution in pixels per inch.
    lowest_resolution: u32,
}

impl ImageSizes {
    /// Returns a warning if an image was scaled down.
    pub(super) fn limited(&self) -> Option<Warning> {
        let limited = || Warning::PageImagesLimited(self.limited.clone(), self.lowest_resolution);
        (!self.limited.is_empty()).then(limited)
    }
}

/// Computes the sizes of the images of these pages before any is rendered: scaled down to the limits of the plan, the format
/// and the memory. PDFium ignores `UserUnit`; `units` are the user units of the pages, in points.
///
/// # Errors
/// [`TaskError::Document`] if a page is missing.
pub(super) fn sides(
    (document, units): (&PdfDocument<'_>, &[f64]),
    numbers: &[u32],
    settings: &ImageSettings,
) -> TaskResult<ImageSizes> {
    let page_sizes = document.pages().page_sizes().map_err(pdfium::load_error)?;
    let resolution = u32::from(settings.resolution);
    let mut sizes = ImageSizes {
        sides: Vec::with_capacity(numbers.len()),
        limited: Vec::new(),
        lowest_resolution: resolution,
    };
    for number in numbers {
        let index = (*number as usize).checked_sub(1);
        let index = index.ok_or_else(TaskError::input_corrupt)?;
        let page_size = page_sizes.get(index).ok_or_else(TaskError::input_corrupt)?;
        #[expect(clippy::cast_possible_truncation, reason = "at most 10,000")]
        let unit = units.get(index).copied().unwrap_or(1.0) as f32;
        let [width, height] = [page_size.width(), page_size.height()]
            .map(|length| pdfium::pixels(length.value * unit, f32::from(settings.resolution)));
        let side = within_limits((width, height), settings);
        if side != (width, height) {
            let used = u64::from(resolution) * u64::from(side.0.max(side.1));
            let used = used / u64::from(width.max(height));
            let used = u32::try_from(used).unwrap_or(resolution).max(1);
            sizes.limited.push(*number);
            sizes.lowest_resolution = sizes.lowest_resolution.min(used);
        }
        sizes.sides.push(side);
    }
    Ok(sizes)
}

fn within_limits(sides: (u32, u32), settings: &ImageSettings) -> (u32, u32) {
    let most = settings.max_side.min(encode::max_side(settings.format));
    let (width, height) = fit_within(sides, (most, most));
    let (wide, high) = (u64::from(width), u64::from(height));
    if wide * high <= u64::from(PIXELS) {
        return (width, height);
    }
    // Rounded down, so that the product stays within the limit.
    let widest = (wide * u64::from(PIXELS) / high).isqrt();
    let widest = u32::try_from(widest).unwrap_or(width).max(1);
    fit_within((width, height), (widest, PIXELS / widest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_images_are_scaled_down_in_proportion() {
        let settings = |format, max_side| ImageSettings {
            format,
            quality: QUALITY,
            resolution: RESOLUTION,
            max_side,
        };
        let within = |sides, max_side| within_limits(sides, &settings(Format::Png, max_side));
        assert_eq!(within((2_000, 1_000), 3_000), (2_000, 1_000));
        assert_eq!(within((2_000, 1_000), 300), (300, 150));
        assert_eq!(within((30_000, 30_000), u32::MAX), (10_000, 10_000));
        for sides in [
            (1_000_000_000, 1_000_000_000),
            (30_001, 29_999),
            (1, 1_000_000_000),
        ] {
            let (width, height) = within(sides, u32::MAX);
            assert!(u64::from(width) * u64::from(height) <= u64::from(PIXELS));
        }
        let webp = within_limits((20_000, 10), &settings(Format::Webp, u32::MAX));
        assert_eq!(webp, (16_383, 8));
    }
}
