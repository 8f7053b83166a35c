//! The pages of a PDF: rendering, coordinates, and the existing text of pages that need no OCR.

use image::DynamicImage;
use pdf::pdfium;
use pdfium_render::prelude::{
    PdfBitmapFormat, PdfDocument, PdfPage, PdfPageTextChar, PdfRenderConfig,
};
use task::matrix::Matrix;
use task::{TaskError, TaskResult};

use super::ocr_page::{Block, Line, Page, Rectangle, Unit, Word};
use super::page_plan::{MAX_PIXELS, POINTS, page_size, resolution, sides};
use super::picture::Picture;
use super::rasterized;
use super::survey::is_legible;
use crate::page_text::page_text;

/// Returns the page at an index.
pub(super) fn page<'a>(document: &'a PdfDocument<'_>, index: usize) -> TaskResult<PdfPage<'a>> {
    let index = i32::try_from(index).map_err(|_| TaskError::input_corrupt())?;
    document.pages().get(index).map_err(pdfium::load_error)
}

fn config((width, height): (u32, u32)) -> TaskResult<PdfRenderConfig> {
    let side = |pixels: u32| i32::try_from(pixels).map_err(|_| TaskError::input_corrupt());
    Ok(PdfRenderConfig::new()
        .set_fixed_size(side(width)?, side(height)?)
        .set_reverse_byte_order(false))
}

/// Like [`config`], without annotations and form fields. pdfium omits form fields only if a page is rendered with a matrix,
/// for which it truncates the page size to whole points.
fn config_without_annotations(
    page: &PdfPage<'_>,
    sides: (u32, u32),
) -> TaskResult<PdfRenderConfig> {
    let whole = |points: f32| points.trunc().max(1.0);
    #[expect(clippy::cast_precision_loss, reason = "at most 100,000,000 pixels")]
    let (across, down) = (
        sides.0 as f32 / whole(page.width().value),
        sides.1 as f32 / whole(page.height().value),
    );
    let config = config(sides)?.render_annotations(false);
    config.scale(across, down).map_err(pdfium::load_error)
}

/// Renders a page in gray on white, with annotations and form fields if `annotated`.
pub(super) fn render(
    page: &PdfPage<'_>,
    sides: (u32, u32),
    annotated: bool,
) -> TaskResult<Picture> {
    let config = match annotated {
        true => config(sides)?.render_annotations(true),
        false => config_without_annotations(page, sides)?,
    };
    let config = config.set_format(PdfBitmapFormat::Gray);
    let (width, height) = sides;
    Ok(Picture {
        samples: samples(page, &config, (width as usize, height as usize))?,
        width,
        height,
        resolution: Some(resolution(page, width)),
    })
}

/// Renders a page on white without annotations and form fields: in gray for OCR, and in color.
pub(super) fn render_in_color(
    page: &PdfPage<'_>,
    sides: (u32, u32),
) -> TaskResult<(Picture, DynamicImage)> {
    let config = config_without_annotations(page, sides)?.set_format(PdfBitmapFormat::BGRx);
    let (width, height) = sides;
    let samples = samples(page, &config, (width as usize * 4, height as usize))?;
    let shown = rasterized::from_bgrx(sides, &samples).ok_or_else(TaskError::input_corrupt)?;
    drop(samples);
    let read = Picture {
        samples: shown.to_luma8().into_raw(),
        width,
        height,
        resolution: Some(resolution(page, width)),
    };
    Ok((read, shown))
}

/// Renders a page and removes row padding; a row has `across` bytes.
fn samples(
    page: &PdfPage<'_>,
    config: &PdfRenderConfig,
    (across, down): (usize, usize),
) -> TaskResult<Vec<u8>> {
    let bitmap = page.render_with_config(config);
    let mut samples = bitmap.map_err(pdfium::load_error)?.as_raw_bytes();
    let stride = samples.len() / down.max(1);
    if stride < across {
        return Err(TaskError::input_corrupt());
    }
    if stride > across {
        for row in 0..down {
            samples.copy_within(row * stride..row * stride + across, row * across);
        }
    }
    samples.truncate(across * down);
    Ok(samples)
}

/// Returns the matrix from pixels of the rendered page to its user space.
pub(super) fn pixels_to_user_space(page: &PdfPage<'_>, sides: (u32, u32)) -> TaskResult<Matrix> {
    let config = config(sides)?;
    let (width, height) = sides;
    let point = |x: u32, y: u32| {
        let place = |pixels: u32| i32::try_from(pixels).map_err(|_| TaskError::input_corrupt());
        let (x, y) = page
            .pixels_to_points(place(x)?, place(y)?, &config)
            .map_err(pdfium::load_error)?;
        Ok::<_, TaskError>((f64::from(x.value), f64::from(y.value)))
    };
    let (origin, across, down) = (point(0, 0)?, point(width, 0)?, point(0, height)?);
    let (w, h) = (f64::from(width), f64::from(height));
    Ok(Matrix([
        (across.0 - origin.0) / w,
        (across.1 - origin.1) / w,
        (down.0 - origin.0) / h,
        (down.1 - origin.1) / h,
        origin.0,
        origin.1,
    ]))
}

/// Extracts the existing text of a page, including forms and annotations.
pub(super) fn existing_page(page: &mut PdfPage<'_>) -> TaskResult<Page> {
    // If flattening fails, the page content still has its text.
    page.flatten().ok();
    let (width, height) = page_size(page);
    // Rendered at 72 dpi, so that coordinates are points from the top left corner.
    let whole = sides(page, POINTS, MAX_PIXELS);
    let to_points = Matrix([
        width / f64::from(whole.0),
        0.0,
        0.0,
        height / f64::from(whole.1),
        0.0,
        0.0,
    ]);
    let shown = pixels_to_user_space(page, whole)?
        .inverse()
        .map(|back| back.then(to_points));
    let blocks = match shown {
        Some(shown) => Vec::from_iter(block(page, shown)?),
        None => Vec::new(),
    };
    Ok(Page {
        sides: (width, height),
        unit: Unit::Point,
        blocks,
        text: Some(page_text(page)?),
        ..Page::default()
    })
}

/// Returns the existing words of a page, in pixels of the page rendered with these dimensions.
pub(super) fn existing_words(page: &PdfPage<'_>, sides: (u32, u32)) -> TaskResult<Vec<Block>> {
    match pixels_to_user_space(page, sides)?.inverse() {
        Some(shown) => Ok(block(page, shown)?.into_iter().collect()),
        None => Ok(Vec::new()),
    }
}

/// Returns all lines of a page in document order.
fn block(page: &PdfPage<'_>, shown: Matrix) -> TaskResult<Option<Block>> {
    let text = page.text().map_err(pdfium::load_error)?;
    let mut lines = Lines::default();
    for character in text.chars().iter() {
        let Some(read) = character.unicode_char() else {
            continue;
        };
        if read == '\n' {
            lines.end();
        } else if read.is_whitespace() {
            lines.end_word();
        } else if is_legible(read) || matches!(read, '\u{2}' | '\u{fffe}') {
            // The other characters are hyphens at line ends.
            let read = if is_legible(read) { read } else { '-' };
            lines.add(
                read,
                bounds(&character).map(|place| place.transformed(shown)),
            );
        }
    }
    lines.end();
    let rectangles = lines.done.iter().map(|line| line.rectangle);
    Ok(rectangles.reduce(Rectangle::union).map(|rectangle| Block {
        region: 0,
        rectangle,
        lines: lines.done,
    }))
}

/// Returns the bounds of a character in user space.
pub(super) fn bounds(character: &PdfPageTextChar<'_>) -> Option<Rectangle> {
    let bounds = character.loose_bounds().ok()?;
    Some(Rectangle {
        left: bounds.left().value.into(),
        top: bounds.bottom().value.into(),
        right: bounds.right().value.into(),
        bottom: bounds.top().value.into(),
    })
}

/// Builds lines from characters.
#[derive(Default)]
struct Lines {
    done: Vec<Line>,
    line: Line,
    text: String,
    rectangle: Option<Rectangle>,
}

impl Lines {
    fn add(&mut self, character: char, place: Option<Rectangle>) {
        self.text.push(character);
        self.rectangle = match (self.rectangle, place) {
            (Some(before), Some(place)) => Some(before.union(place)),
            (before, place) => before.or(place),
        };
    }

    fn end_word(&mut self) {
        let text = std::mem::take(&mut self.text);
        let place = self.rectangle.take();
        let Some(word) = place.and_then(|place| Word::new(&text, place, None)) else {
            return;
        };
        self.line.rectangle = match self.line.words.is_empty() {
            true => word.rectangle,
            false => self.line.rectangle.union(word.rectangle),
        };
        self.line.words.push(word);
    }

    fn end(&mut self) {
        self.end_word();
        let line = std::mem::take(&mut self.line);
        if !line.words.is_empty() {
            self.done.push(line);
        }
    }
}
