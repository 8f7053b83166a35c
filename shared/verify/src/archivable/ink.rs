//! The visible text of a page. PDFium also reads the text of hidden layers, but does not draw it.

use image::GrayImage;
use pdfium_render::prelude::{PdfPage, PdfPageTextChar, PdfRenderConfig};
use task::{TaskError, TaskResult};

/// Width of the rendered page in pixels.
const WIDTH: i32 = 1_600;
/// Maximum difference of the gray levels of an area without ink, of 255.
const TOLERANCE: u8 = 8;

/// The characters of a page whose areas have more than one gray level, or are unknown.
///
/// # Errors
/// `output_invalid` if the page cannot be read or rendered.
pub(super) fn visible_text(page: &PdfPage<'_>) -> TaskResult<String> {
    let config = PdfRenderConfig::new()
        .set_target_width(WIDTH)
        .set_maximum_height(2 * WIDTH);
    let rendered = page.render_with_config(&config);
    let picture = rendered.and_then(|rendered| rendered.as_image());
    let picture = picture.map_err(|_| TaskError::output_invalid("a page cannot be rendered"))?;
    let picture = picture.into_luma8();
    let text = page.text();
    let text = text.map_err(|_| TaskError::output_invalid("a page cannot be read"))?;
    let is_visible = |character: &PdfPageTextChar<'_>| {
        area(page, &config, character).is_none_or(|area| has_ink(&picture, area))
    };
    let characters = text.chars();
    let characters = characters.iter().filter(is_visible);
    Ok(characters.filter_map(|one| one.unicode_char()).collect())
}

/// Two opposite corners of a character in pixels.
fn area(
    page: &PdfPage<'_>,
    config: &PdfRenderConfig,
    character: &PdfPageTextChar<'_>,
) -> Option<[(i32, i32); 2]> {
    let bounds = character.tight_bounds().ok()?;
    let point = |x, y| page.points_to_pixels(x, y, config).ok();
    Some([
        point(bounds.left(), bounds.bottom())?,
        point(bounds.right(), bounds.top())?,
    ])
}

fn has_ink(picture: &GrayImage, [one, other]: [(i32, i32); 2]) -> bool {
    let pixels = |one: i32, other: i32, side: u32| {
        let pixel = |at: i32| u32::try_from(at).unwrap_or(0);
        pixel(one.min(other))..(pixel(one.max(other)) + 1).min(side)
    };
    let columns = pixels(one.0, other.0, picture.width());
    let rows = pixels(one.1, other.1, picture.height());
    let pixels = rows.flat_map(|y| columns.clone().map(move |x| (x, y)));
    let levels = pixels.filter_map(|(x, y)| Some(picture.get_pixel_checked(x, y)?.0[0]));
    let (low, high) = levels.fold((u8::MAX, 0), |(low, high), level| {
        (level.min(low), level.max(high))
    });
    high.saturating_sub(low) > TOLERANCE
}
