//! Compares how the pages of a filled form look with the pages before: fields with new values look different, and nothing else.

use std::path::Path;

use image::GrayImage;
use pdf::pdfium;
use pdfium_render::prelude::{PdfDocument, PdfPage, PdfPoints, PdfRenderConfig};
use task::{Task, TaskResult};

use super::invalid;
use crate::field_tree::{FieldTree, FoundField, FoundWidget, text};

/// Maximum number of pages with filled fields, and of other pages, that are rendered.
const MAX_FILLED: usize = 10;
const MAX_OTHERS: usize = 5;
/// Pixels for the longer side of a page.
const LONGER_SIDE: i32 = 1_400;
/// Width of the border around a field that may change, in pixels.
const BORDER: i32 = 2;
/// Smallest side of a visible field, in pixels.
const MIN_SIDE: i32 = 6;
/// Maximum difference of a pixel that is equal, of 255.
const TOLERANCE: u8 = 8;
/// Maximum mean difference of the pixels of a field before and after it is flattened, of 255.
const MAX_DIFFERENCE: f64 = 12.0;

/// Edges of a field in pixels: left, top, right, bottom.
type Edges = [i32; 4];

/// A widget on a page.
struct Place<'t, 'g> {
    page: usize,
    widget: &'t FoundWidget<'g>,
    /// Whether it shows another value than in the source.
    is_changed: bool,
}

/// Checks that visible fields with new values look different, and everything outside the fields looks as before.
pub(super) fn check_pages(
    task: &Task,
    result: &Path,
    (before, after): (&FieldTree<'_>, &FieldTree<'_>),
    is_requested: &dyn Fn(&FoundField<'_>) -> bool,
) -> TaskResult<()> {
    let pages = after.page_of_annotation();
    let mut places = Vec::new();
    // If viewers draw the fields of the source, the others look different, too.
    let all_may_change = before.needs_appearances();
    for (old, new) in before.fields.iter().zip(&after.fields) {
        let is_filled = is_requested(new);
        if !is_filled && !all_may_change {
            continue;
        }
        let shows_new = is_filled && old.value() != new.value() && !blank(new);
        for (place, widget) in new.widgets.iter().enumerate() {
            let before = old.widgets.get(place).and_then(FoundWidget::state);
            let is_turned_on = widget.state() != Some("/Off") && widget.state() != before;
            if let Some(page) = pages.get(widget.reference) {
                places.push(Place {
                    page: *page,
                    widget,
                    is_changed: shows_new && (new.kind != "/Btn" || is_turned_on),
                });
            }
        }
    }
    let library = pdfium::load(task)?;
    let source = pdfium::open(&library, task)?;
    let filled = library.load_pdf_from_file(result, None);
    let filled = filled.map_err(|_| invalid("it does not open"))?;
    for number in selected(&places, after.pages.len()) {
        let (one, other) = (page(&source, number)?, page(&filled, number)?);
        let (config, limits) = config(&other);
        // If pdfium cannot render the source page, the result cannot be compared with it.
        let Ok(one) = render(&one, &config) else {
            continue;
        };
        let rendered = render(&other, &config)?;
        let on_page = places.iter().filter(|place| place.page == number);
        let mut masks = Vec::new();
        for place in on_page {
            let Some(edges) = edges(&other, place.widget, &config, limits) else {
                continue;
            };
            let is_large = edges[2] - edges[0] >= MIN_SIDE && edges[3] - edges[1] >= MIN_SIDE;
            if place.is_changed
                && is_large
                && place.widget.is_visible()
                && !differs(&one, &rendered, edges)
            {
                return Err(invalid("a field does not show its value"));
            }
            masks.push(edges);
        }
        if differs_outside(&one, &rendered, &masks) {
            return Err(invalid(
                "a page looks different outside of the filled fields",
            ));
        }
    }
    Ok(())
}

/// Checks that the pages of the flattened form look like those of the form.
pub(super) fn check_flattened(
    task: &Task,
    filled: &Path,
    form: &FieldTree<'_>,
    is_requested: &dyn Fn(&FoundField<'_>) -> bool,
) -> TaskResult<()> {
    let pages = form.page_of_annotation();
    let mut places = Vec::new();
    for field in form.fields.iter().filter(|field| is_requested(field)) {
        for widget in &field.widgets {
            if let Some(page) = pages.get(widget.reference) {
                places.push(Place {
                    page: *page,
                    widget,
                    is_changed: true,
                });
            }
        }
    }
    let library = pdfium::load(task)?;
    let open = |path: &Path| {
        let opened = library.load_pdf_from_file(path, None);
        opened.map_err(|_| invalid("it does not open"))
    };
    let (form, flat) = (open(filled)?, open(&task.output())?);
    let count = usize::try_from(flat.pages().len()).unwrap_or(0);
    for number in selected(&places, count) {
        let (one, other) = (page(&form, number)?, page(&flat, number)?);
        let (config, limits) = config(&other);
        let (one, rendered) = (render(&one, &config)?, render(&other, &config)?);
        for place in places.iter().filter(|place| place.page == number) {
            let edges = edges(&other, place.widget, &config, limits);
            if let Some(edges) = edges.filter(|_| place.widget.is_visible())
                && mean_difference(&one, &rendered, edges) > MAX_DIFFERENCE
            {
                return Err(invalid("a flattened field does not show its value"));
            }
        }
    }
    Ok(())
}

/// Whether a field shows no text.
fn blank(field: &FoundField<'_>) -> bool {
    match field.value() {
        serde_json::Value::Null => true,
        serde_json::Value::Array(values) => values.is_empty(),
        value => text(&value).is_some_and(|text| text.trim().is_empty()),
    }
}

/// The pages to render: those with fields first, then some others.
fn selected(places: &[Place<'_, '_>], count: usize) -> Vec<usize> {
    let mut filled: Vec<usize> = places
        .iter()
        .filter(|place| place.is_changed)
        .map(|place| place.page)
        .collect();
    filled.sort_unstable();
    filled.dedup();
    let others: Vec<usize> = (0..count).filter(|page| !filled.contains(page)).collect();
    let sample = |pages: &[usize], most: usize| -> Vec<usize> {
        let every = pages.len().div_ceil(most).max(1);
        pages.iter().step_by(every).copied().collect()
    };
    [sample(&filled, MAX_FILLED), sample(&others, MAX_OTHERS)].concat()
}

fn page<'a>(document: &PdfDocument<'a>, number: usize) -> TaskResult<PdfPage<'a>> {
    let index = i32::try_from(number).unwrap_or(i32::MAX);
    let page = document.pages().get(index);
    page.map_err(|_| invalid("a page cannot be loaded"))
}

/// How a page is rendered, and its width and height in pixels.
fn config(page: &PdfPage<'_>) -> (PdfRenderConfig, (i32, i32)) {
    let (width, height) = (page.width().value.max(1.0), page.height().value.max(1.0));
    let longer = f32::from(i16::try_from(LONGER_SIDE).unwrap_or(i16::MAX));
    let scale = longer / width.max(height);
    let pixels = |length: f32| rounded(length * scale).max(1);
    let (width, height) = (pixels(width), pixels(height));
    let config = PdfRenderConfig::new()
        .set_fixed_size(width, height)
        .render_form_data(true);
    (config, (width, height))
}

fn rounded(length: f32) -> i32 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::as_conversions,
        reason = "casts of floats saturate"
    )]
    let pixels = length.round() as i32;
    pixels
}

fn render(page: &PdfPage<'_>, config: &PdfRenderConfig) -> TaskResult<GrayImage> {
    let rendered = page.render_with_config(config);
    let image = rendered.and_then(|rendered| rendered.as_image());
    let image = image.map_err(|_| invalid("a page cannot be rendered"))?;
    Ok(image.into_luma8())
}

/// The part of a widget that is on the page; `None` if there is none.
fn edges(
    page: &PdfPage<'_>,
    widget: &FoundWidget<'_>,
    config: &PdfRenderConfig,
    (width, height): (i32, i32),
) -> Option<Edges> {
    let [left, bottom, right, top] = widget.rectangle()?;
    let point = |x: f32, y: f32| {
        page.points_to_pixels(PdfPoints::new(x), PdfPoints::new(y), config)
            .ok()
    };
    let (one, other) = (point(left, bottom)?, point(right, top)?);
    let edges = [
        one.0.min(other.0).clamp(0, width),
        one.1.min(other.1).clamp(0, height),
        one.0.max(other.0).clamp(0, width),
        one.1.max(other.1).clamp(0, height),
    ];
    (edges[0] < edges[2] && edges[1] < edges[3]).then_some(edges)
}

/// Whether a pixel within the edges differs.
fn differs(one: &GrayImage, other: &GrayImage, edges: Edges) -> bool {
    different_pixels(one, other).any(|(x, y)| is_within(x, y, edges, 0))
}

/// Whether a pixel outside of all fields differs.
fn differs_outside(one: &GrayImage, other: &GrayImage, masks: &[Edges]) -> bool {
    let is_masked = |x, y| masks.iter().any(|edges| is_within(x, y, *edges, BORDER));
    different_pixels(one, other).any(|(x, y)| !is_masked(x, y))
}

fn different_pixels(one: &GrayImage, other: &GrayImage) -> impl Iterator<Item = (i32, i32)> {
    let pixels = one.enumerate_pixels().zip(other.pixels());
    let different = pixels.filter(|((_, _, a), b)| a.0[0].abs_diff(b.0[0]) > TOLERANCE);
    different.filter_map(|((x, y, _), _)| Some((i32::try_from(x).ok()?, i32::try_from(y).ok()?)))
}

fn is_within(x: i32, y: i32, [left, top, right, bottom]: Edges, border: i32) -> bool {
    (left - border..right + border).contains(&x) && (top - border..bottom + border).contains(&y)
}

fn mean_difference(one: &GrayImage, other: &GrayImage, edges: Edges) -> f64 {
    let (mut sum, mut count) = (0_u32, 0_u32);
    for ((x, y, a), b) in one.enumerate_pixels().zip(other.pixels()) {
        let (Ok(x), Ok(y)) = (i32::try_from(x), i32::try_from(y)) else {
            continue;
        };
        if is_within(x, y, edges, 0) {
            sum += u32::from(a.0[0].abs_diff(b.0[0]));
            count += 1;
        }
    }
    f64::from(sum) / f64::from(count.max(1))
}
