//! Whether an area of a page looks different. In the look of a whole page, damage of a few glyphs does not count.

use image::GrayImage;
use image::imageops::thumbnail;
use pdfium_render::prelude::{PdfDocument, PdfRenderConfig};
use serde_json::{Map, Value};
use task::{TaskError, TaskResult};

use crate::object_graph::ObjectGraph;

/// Maximum number of pages that are rendered.
const MAX_RENDERED: usize = 10;
/// Maximum side of a rendered page in pixels. Most have a pixel for each point.
const MAX_SIDE: f32 = 2_000.0;
/// Side in pixels of a cell, within which strokes may move.
const CELL: u32 = 4;
/// Side of an area in cells.
const AREA: usize = 6;
/// Maximum mean difference of the gray levels of an area, of 255, apart from that of their means: converted colors are
/// lighter or darker.
const MAX_DIFFERENCE: u32 = 55;

/// Whether an area of a page looks different, with annotations and without: some of these are removed, others drawn.
///
/// # Errors
/// `output_invalid` if a page of the result cannot be rendered.
pub(super) fn differs(source: &PdfDocument<'_>, result: &PdfDocument<'_>) -> TaskResult<bool> {
    let pages = source.pages().len();
    let every = usize::try_from(pages).unwrap_or(0).div_ceil(MAX_RENDERED);
    for page in (0..pages).step_by(every.max(1)) {
        let differs = |annotations| -> TaskResult<bool> {
            // If pdfium cannot render the source page, the result cannot be compared with it.
            let Some(before) = render(source, page, annotations) else {
                return Ok(false);
            };
            let after = render(result, page, annotations);
            let after =
                after.ok_or_else(|| TaskError::output_invalid("a page cannot be rendered"))?;
            Ok(difference(&before, &after) > MAX_DIFFERENCE)
        };
        if differs(true)? && differs(false)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The gray levels of the cells of a page.
fn render(document: &PdfDocument<'_>, page: i32, annotations: bool) -> Option<GrayImage> {
    let page = document.pages().get(page).ok()?;
    let sides = (page.width().value, page.height().value);
    let scale = (MAX_SIDE / sides.0.max(sides.1)).min(1.0);
    let config = PdfRenderConfig::new()
        .scale_page_by_factor(scale)
        .render_form_data(false)
        .render_annotations(annotations);
    let rendered = page.render_with_config(&config).ok()?;
    Some(cells(&rendered.as_image().ok()?.into_luma8()))
}

/// The mean gray levels of the cells of a picture.
fn cells(picture: &GrayImage) -> GrayImage {
    let cells = |side: u32| (side / CELL).max(1);
    thumbnail(picture, cells(picture.width()), cells(picture.height()))
}

/// The largest difference of the areas of two pages.
fn difference(one: &GrayImage, other: &GrayImage) -> u32 {
    let rows = |picture: &GrayImage| -> Vec<Vec<u8>> {
        let width = usize::try_from(picture.width()).unwrap_or(1).max(1);
        picture.as_raw().chunks(width).map(<[u8]>::to_vec).collect()
    };
    let (one, other) = (rows(one), rows(other));
    let bands = one.chunks_exact(AREA).zip(other.chunks_exact(AREA));
    let areas = bands.flat_map(|(one, other)| areas(one).into_iter().zip(areas(other)));
    let differences = areas.map(|(one, other)| {
        let levels = one.iter().zip(&other);
        let sum: u32 = levels.map(|(one, other)| one.abs_diff(*other)).sum();
        sum / u32::try_from(one.len()).unwrap_or(1).max(1)
    });
    differences.max().unwrap_or(0)
}

/// The areas of a band, as the differences of their levels from their mean.
fn areas(band: &[Vec<u8>]) -> Vec<Vec<i32>> {
    let width = band.iter().map(Vec::len).min().unwrap_or(0);
    let starts = (0..width / AREA).map(|area| area * AREA);
    let areas = starts.map(|start| {
        let rows = band.iter().filter_map(|row| row.get(start..start + AREA));
        let levels: Vec<i32> = rows.flatten().map(|level| i32::from(*level)).collect();
        let count = i32::try_from(levels.len()).unwrap_or(1).max(1);
        let mean = levels.iter().sum::<i32>() / count;
        levels.iter().map(|level| level - mean).collect()
    });
    areas.collect()
}

/// Whether the source may look different in each program: it has fields, which pdfium draws as controls, or fonts that are
/// not embedded.
pub(super) fn may_differ(source: &ObjectGraph) -> bool {
    let catalog = source.catalog();
    let has_form = catalog.is_some_and(|catalog| catalog.contains_key("/AcroForm"));
    let mut objects = source.objects();
    has_form || objects.any(|(_, object)| lacks_program(source, object))
}

/// Whether a value has a font without a program.
fn lacks_program(graph: &ObjectGraph, value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(|item| lacks_program(graph, item)),
        Value::Object(members) => {
            is_without_program(graph, members)
                || members.values().any(|value| lacks_program(graph, value))
        }
        _ => false,
    }
}

fn is_without_program(graph: &ObjectGraph, font: &Map<String, Value>) -> bool {
    const WITH_PROGRAM: [&str; 5] = [
        "/Type1",
        "/MMType1",
        "/TrueType",
        "/CIDFontType0",
        "/CIDFontType2",
    ];
    let subtype = graph.name(font, "/Subtype").unwrap_or_default();
    let descriptor = font.get("/FontDescriptor");
    let descriptor = descriptor.and_then(|it| graph.dictionary(it));
    let has_program = descriptor.is_some_and(|descriptor| {
        let keys = ["/FontFile", "/FontFile2", "/FontFile3"];
        keys.iter().any(|key| descriptor.contains_key(*key))
    });
    graph.name(font, "/Type") == Some("/Font") && WITH_PROGRAM.contains(&subtype) && !has_program
}

#[cfg(test)]
mod tests {
    use image::Luma;

    use super::*;

    #[test]
    fn an_area_is_different_by_its_shapes_and_not_by_its_lightness() {
        let page = |mark: u32, background: u8| {
            cells(&GrayImage::from_fn(240, 320, |x, y| {
                let is_mark = (mark..mark + 48).contains(&x) && (106..154).contains(&y);
                Luma([if is_mark { 0 } else { background }])
            }))
        };
        assert_eq!(difference(&page(106, 255), &page(106, 255)), 0);
        assert_eq!(difference(&page(999, 255), &page(999, 200)), 0);
        assert!(difference(&page(106, 255), &page(107, 255)) < MAX_DIFFERENCE);
        assert!(difference(&page(106, 255), &page(154, 255)) > MAX_DIFFERENCE);
        assert!(difference(&page(106, 255), &page(999, 255)) > MAX_DIFFERENCE);
    }
}
