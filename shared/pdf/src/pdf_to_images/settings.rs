//! Settings of page images: format, quality, resolution, and the resulting size in pixels.

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::limits::PIXELS;
use domain::operation::Operation;
use imaging::encode;
use imaging::scale::fit_within;
use pdfium_render::prelude::PdfDocument;
use task::{Task, TaskError, TaskResult};

use crate::pdfium;

/// Default resolution in pixels per inch.
const RESOLUTION: u16 = 150;
/// Default quality of lossy formats.
const QUALITY: u8 = 80;

/// Settings of page images.
pub(super) struct ImageSettings {
    pub(super) format: Format,
    pub(super) quality: u8,
    /// Requested resolution in pixels per inch.
    resolution: Option<u16>,
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
            resolution: resolution.map(|resolution| resolution.value()),
            max_side: task.limits.image_side,
        }
    }
}

/// Sizes of page images.
pub(super) struct ImageSizes {
    /// Width and height of each image in pixels.
    pub(super) sides: Vec<(u32, u32)>,
    /// Whether the plan reduced the size of an image.
    pub(super) is_limited: bool,
}

/// Computes the sizes of the images of these pages before any is rendered. PDFium ignores `UserUnit`; `units` are the
/// user units of the pages, in points.
///
/// # Errors
/// `input_too_large` if a page has too many pixels, `output_too_large` if the plan does not allow the resolution.
pub(super) fn sides(
    (document, units): (&PdfDocument<'_>, &[f64]),
    numbers: &[u32],
    settings: &ImageSettings,
) -> TaskResult<ImageSizes> {
    let page_sizes = document.pages().page_sizes().map_err(pdfium::load_error)?;
    let mut sizes = ImageSizes {
        sides: Vec::with_capacity(numbers.len()),
        is_limited: false,
    };
    for number in numbers {
        let index = (*number as usize).checked_sub(1);
        let index = index.ok_or_else(TaskError::input_corrupt)?;
        let page_size = page_sizes.get(index).ok_or_else(TaskError::input_corrupt)?;
        #[expect(clippy::cast_possible_truncation, reason = "at most 10,000")]
        let unit = units.get(index).copied().unwrap_or(1.0) as f32;
        let full = size(
            (
                page_size.width().value * unit,
                page_size.height().value * unit,
            ),
            settings,
        )?;
        let side = within_plan(full, settings)?;
        encode::check_dimensions(settings.format, side)?;
        sizes.is_limited |= side != full;
        sizes.sides.push(side);
    }
    Ok(sizes)
}

fn size((width, height): (f32, f32), settings: &ImageSettings) -> TaskResult<(u32, u32)> {
    let resolution = settings.resolution.unwrap_or(RESOLUTION);
    let pixels = |points| pdfium::pixels(points, resolution.into());
    let (width, height) = (pixels(width), pixels(height));
    match u64::from(width) * u64::from(height) <= u64::from(PIXELS) {
        true => Ok((width, height)),
        false => Err(TaskError::too_large(&format!(
            "A page has more than 100 megapixels at {resolution} pixels per inch. Use a lower `resolution`."
        ))),
    }
}

fn within_plan(sides: (u32, u32), settings: &ImageSettings) -> TaskResult<(u32, u32)> {
    let within = fit_within(sides, (settings.max_side, settings.max_side));
    match within == sides || settings.resolution.is_none() {
        true => Ok(within),
        false => Err(TaskError::document(
            JobErrorCode::OutputTooLarge,
            &format!(
                "The plan allows images of at most {} pixels per side. Use a lower `resolution`.",
                settings.max_side
            ),
        )),
    }
}
