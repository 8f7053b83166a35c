//! What is asked of the pictures of pages: their format, how fine they are, and how large that makes each.

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::limits::PIXELS;
use domain::operation::Operation;
use imaging::encode;
use imaging::scale::within;
use pdfium_render::prelude::PdfDocument;
use task::{Fault, Outcome, Task};

use crate::pdfium;

/// Pixels an inch where nothing else is asked for.
const RESOLUTION: u16 = 150;
/// Quality of lossy pictures where nothing else is asked for.
const QUALITY: u8 = 80;

/// What is asked of the pictures of pages.
pub(super) struct Asked {
    pub(super) format: Format,
    pub(super) quality: u8,
    /// Pixels an inch, if the request says how many.
    resolution: Option<u16>,
    /// Most pixels a side that the plan allows.
    most: u32,
}

impl Asked {
    /// What a task asks of them.
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
            most: task.limits.image_side,
        }
    }
}

/// How large the pictures of pages are.
pub(super) struct Framed {
    /// Width and height of each in pixels.
    pub(super) sides: Vec<(u32, u32)>,
    /// Whether the plan, not the request, decided the sides of one.
    pub(super) is_limited: bool,
}

/// The sides of the pictures of some pages, known before any is made. The library that draws takes every page to be measured
/// in points; `units` are those, in points, that pages are measured in, as far as they are not.
///
/// # Errors
/// `input_too_large` for a page of too many pixels, `output_too_large` for a resolution that the plan does not allow.
pub(super) fn sides(
    (document, units): (&PdfDocument<'_>, &[f64]),
    numbers: &[u32],
    asked: &Asked,
) -> Outcome<Framed> {
    let sizes = document.pages().page_sizes().map_err(pdfium::fault)?;
    let mut framed = Framed {
        sides: Vec::with_capacity(numbers.len()),
        is_limited: false,
    };
    for number in numbers {
        let index = (*number as usize).checked_sub(1);
        let index = index.ok_or_else(Fault::corrupt)?;
        let size = sizes.get(index).ok_or_else(Fault::corrupt)?;
        #[expect(clippy::cast_possible_truncation, reason = "at most 10,000")]
        let unit = units.get(index).copied().unwrap_or(1.0) as f32;
        let full = whole(
            (size.width().value * unit, size.height().value * unit),
            asked,
        )?;
        let side = limited(full, asked)?;
        encode::check_sides(asked.format, side)?;
        framed.is_limited |= side != full;
        framed.sides.push(side);
    }
    Ok(framed)
}

fn whole((width, height): (f32, f32), asked: &Asked) -> Outcome<(u32, u32)> {
    let resolution = asked.resolution.unwrap_or(RESOLUTION);
    let pixels = |points| pdfium::pixels(points, resolution.into());
    let (width, height) = (pixels(width), pixels(height));
    match u64::from(width) * u64::from(height) <= u64::from(PIXELS) {
        true => Ok((width, height)),
        false => Err(Fault::too_large(&format!(
            "A page is larger than 100 megapixels at {resolution} pixels an inch. Ask for a lower `resolution`."
        ))),
    }
}

fn limited(sides: (u32, u32), asked: &Asked) -> Outcome<(u32, u32)> {
    let within = within(sides, (asked.most, asked.most));
    match within == sides || asked.resolution.is_none() {
        true => Ok(within),
        false => Err(Fault::document(
            JobErrorCode::OutputTooLarge,
            &format!(
                "The plan allows {} pixels a side. Ask for a lower `resolution`.",
                asked.most
            ),
        )),
    }
}
