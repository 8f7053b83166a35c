//! Compares the pages of two PDFs as pdfium draws and reads them: what is small, such as a letter, must not be missing.

use std::path::Path;

use image::GrayImage;
use pdfium_render::prelude::{PdfDocument, PdfPage, PdfRenderConfig, Pdfium};

/// Pixels a point at which pages are drawn, so that letters of text are some pixels high.
const SCALE: f32 = 1.5;
/// Longest side of the picture that a page is drawn into, in pixels.
const SIDE: i32 = 2000;
/// Most pages that are drawn.
const PAGES: i32 = 20;
/// Side of the squares whose mean shades are compared, in pixels.
const SQUARE: u32 = 8;
/// Most that the shades of a square may differ by, of 255: what hints move by is below 10, and a letter is above 32.
const MOST: u32 = 32;

/// Whether pages look and read alike; those that cannot be drawn in the first say nothing.
pub(super) fn alike(library: &Pdfium, one: &Path, other: &Path) -> bool {
    let open = |path| library.load_pdf_from_file(path, None).ok();
    let Some(one) = open(one) else { return true };
    open(other).is_some_and(|other| are_alike(&one, &other))
}

fn are_alike(one: &PdfDocument<'_>, other: &PdfDocument<'_>) -> bool {
    let count = one.pages().len();
    let every = usize::try_from(count / PAGES + 1).unwrap_or(1);
    (0..count).step_by(every).all(|index| {
        let Ok(page) = one.pages().get(index) else {
            return true;
        };
        let found = other.pages().get(index);
        found.is_ok_and(|found| text(&page) == text(&found) && is_drawn_alike(&page, &found))
    })
}

fn text(page: &PdfPage<'_>) -> Option<String> {
    Some(page.text().ok()?.all())
}

fn is_drawn_alike(page: &PdfPage<'_>, other: &PdfPage<'_>) -> bool {
    let Some(expected) = picture(page) else {
        return true;
    };
    let Some(found) = picture(other) else {
        return false;
    };
    let squares = squares(&expected).zip(squares(&found));
    let mut differences = squares.map(|(one, other)| one.abs_diff(other));
    expected.dimensions() == found.dimensions() && differences.all(|difference| difference <= MOST)
}

fn picture(page: &PdfPage<'_>) -> Option<GrayImage> {
    let config = PdfRenderConfig::new()
        .scale_page_by_factor(SCALE)
        .set_maximum_width(SIDE)
        .set_maximum_height(SIDE);
    let drawn = page.render_with_config(&config).ok()?;
    Some(drawn.as_image().ok()?.into_luma8())
}

/// The mean shades of squares.
fn squares(picture: &GrayImage) -> impl Iterator<Item = u32> {
    let (width, height) = picture.dimensions();
    let corners = (0..height / SQUARE).flat_map(move |y| (0..width / SQUARE).map(move |x| (x, y)));
    corners.map(move |(x, y)| {
        let pixels = (0..SQUARE * SQUARE).map(move |at| {
            let (x, y) = (x * SQUARE + at % SQUARE, y * SQUARE + at / SQUARE);
            picture
                .get_pixel_checked(x, y)
                .map_or(0, |pixel| u32::from(pixel.0[0]))
        });
        pixels.sum::<u32>() / (SQUARE * SQUARE)
    })
}
