//! Compares words and look of the pages of a sanitized document with those of its source.

use std::collections::HashMap;

use image::GrayImage;
use pdf::pdfium;
use pdfium_render::prelude::{PdfDocument, PdfPoints, PdfRenderConfig};
use task::{Task, TaskResult};

use super::invalid;

/// Maximum number of pages that are rendered.
const MAX_RENDERED: usize = 10;
/// Width of a rendered page in pixels.
const WIDTH: i32 = 800;
/// Maximum difference of a pixel that is equal, of 255.
const TOLERANCE: u8 = 32;
/// Pixels around an annotation that may change.
const BORDER: i32 = 3;
/// Different pixels of a page that looks the same: one in this many.
const DIFFERENT: usize = 5_000;

/// Checks that the result has the words of the source; if layers were hidden, that it has no others.
pub(super) fn check_words(task: &Task, is_hidden: bool) -> TaskResult<()> {
    let library = pdfium::load(task)?;
    let source = pdfium::open(&library, task)?;
    let result = library.load_pdf_from_file(&task.output(), None);
    let result = result.map_err(|_| invalid("it does not open"))?;
    let mut balance: HashMap<String, i64> = HashMap::new();
    for (document, change) in [(&source, 1), (&result, -1)] {
        for page in document.pages().iter() {
            let Ok(text) = pdfium::characters(&page) else {
                continue;
            };
            for word in text.split_whitespace() {
                *balance.entry(word.to_owned()).or_default() += change;
            }
        }
    }
    let differs = |count: &i64| *count < 0 || (*count > 0 && !is_hidden);
    match balance.values().any(differs) {
        true => Err(invalid("its words differ from those of the source")),
        false => Ok(()),
    }
}

/// Checks that pages look the same, except for rectangles on each, in points.
pub(super) fn check_look(task: &Task, except: &[Vec<[f32; 4]>]) -> TaskResult<()> {
    let library = pdfium::load(task)?;
    let source = pdfium::open(&library, task)?;
    let result = library.load_pdf_from_file(&task.output(), None);
    let result = result.map_err(|_| invalid("it does not open"))?;
    let count = usize::try_from(result.pages().len()).unwrap_or(0);
    let every = count.div_ceil(MAX_RENDERED).max(1);
    for page in (0..count).step_by(every) {
        // If pdfium cannot render the source page, the result cannot be compared with it.
        let Some(before) = render(&source, page) else {
            continue;
        };
        let Some(after) = render(&result, page) else {
            return Err(invalid("a page cannot be rendered"));
        };
        let except = except.get(page).map_or(&[][..], Vec::as_slice);
        let except = edges(&result, page, except);
        let pixels = before.enumerate_pixels().zip(after.pixels());
        let different = pixels
            .filter(|((_, _, a), b)| a.0[0].abs_diff(b.0[0]) > TOLERANCE)
            .filter_map(|((x, y, _), _)| Some((i32::try_from(x).ok()?, i32::try_from(y).ok()?)))
            .filter(|(x, y)| {
                let is_within = |[left, top, right, bottom]: &[i32; 4]| {
                    (*left..=*right).contains(x) && (*top..=*bottom).contains(y)
                };
                !except.iter().any(is_within)
            });
        let has_other_size = before.dimensions() != after.dimensions();
        if has_other_size || different.count() > before.len() / DIFFERENT {
            return Err(invalid("a page looks different"));
        }
    }
    Ok(())
}

fn render(document: &PdfDocument<'_>, page: usize) -> Option<GrayImage> {
    let page = document.pages().get(i32::try_from(page).ok()?).ok()?;
    let rendered = page.render_with_config(&config()).ok()?;
    Some(rendered.as_image().ok()?.into_luma8())
}

fn config() -> PdfRenderConfig {
    PdfRenderConfig::new()
        .set_target_width(WIDTH)
        .set_maximum_height(2 * WIDTH)
        .render_form_data(true)
}

/// Left, top, right and bottom edges of rectangles on a page, in pixels.
fn edges(document: &PdfDocument<'_>, page: usize, rectangles: &[[f32; 4]]) -> Vec<[i32; 4]> {
    let index = i32::try_from(page).unwrap_or(i32::MAX);
    let Ok(page) = document.pages().get(index) else {
        return Vec::new();
    };
    let point = |x: f32, y: f32| {
        let pixels = page.points_to_pixels(PdfPoints::new(x), PdfPoints::new(y), &config());
        pixels.ok()
    };
    let edges = rectangles.iter().filter_map(|[left, bottom, right, top]| {
        let (one, other) = (point(*left, *bottom)?, point(*right, *top)?);
        Some([
            one.0.min(other.0) - BORDER,
            one.1.min(other.1) - BORDER,
            one.0.max(other.0) + BORDER,
            one.1.max(other.1) + BORDER,
        ])
    });
    edges.collect()
}
