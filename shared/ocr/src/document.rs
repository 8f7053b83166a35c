//! The pages of a PDF: what they look like, where that is on them, and the text of those that are not read.

use image::DynamicImage;
use pdf::pdfium;
use pdfium_render::prelude::{
    PdfBitmapFormat, PdfDocument, PdfPage, PdfPageTextChar, PdfRenderConfig,
};
use task::matrix::Matrix;
use task::{Fault, Outcome};

use super::fate::{POINTS, READ, page_sides, sides};
use super::layout::{Block, Line, Page, Rectangle, Unit, Word};
use super::picture::Picture;
use super::redrawn;
use super::survey::is_real;
use crate::page_text::page_text;

/// The page at an index.
pub(super) fn page<'a>(document: &'a PdfDocument<'_>, index: usize) -> Outcome<PdfPage<'a>> {
    let index = i32::try_from(index).map_err(|_| Fault::corrupt())?;
    document.pages().get(index).map_err(pdfium::fault)
}

fn config((width, height): (u32, u32)) -> Outcome<PdfRenderConfig> {
    let side = |pixels: u32| i32::try_from(pixels).map_err(|_| Fault::corrupt());
    Ok(PdfRenderConfig::new()
        .set_fixed_size(side(width)?, side(height)?)
        .set_reverse_byte_order(false))
}

/// The same without comments and fields. The library draws fields unless a page is drawn through a matrix, and reckons
/// with whole points then.
fn bare_config(page: &PdfPage<'_>, sides: (u32, u32)) -> Outcome<PdfRenderConfig> {
    let whole = |points: f32| points.trunc().max(1.0);
    #[expect(clippy::cast_precision_loss, reason = "at most 100,000,000 pixels")]
    let (across, down) = (
        sides.0 as f32 / whole(page.width().value),
        sides.1 as f32 / whole(page.height().value),
    );
    let config = config(sides)?.render_annotations(false);
    config.scale(across, down).map_err(pdfium::fault)
}

/// Draws a page in grey on white, with its comments and fields if `annotated`.
pub(super) fn draw(page: &PdfPage<'_>, sides: (u32, u32), annotated: bool) -> Outcome<Picture> {
    let config = match annotated {
        true => config(sides)?.render_annotations(true),
        false => bare_config(page, sides)?,
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

/// Draws a page on white, without its comments and fields: as it is read, and as it is shown.
pub(super) fn draw_in_colour(
    page: &PdfPage<'_>,
    sides: (u32, u32),
) -> Outcome<(Picture, DynamicImage)> {
    let config = bare_config(page, sides)?.set_format(PdfBitmapFormat::BGRx);
    let (width, height) = sides;
    let samples = samples(page, &config, (width as usize * 4, height as usize))?;
    let shown = redrawn::picture(sides, &samples).ok_or_else(Fault::corrupt)?;
    drop(samples);
    let read = Picture {
        samples: shown.to_luma8().into_raw(),
        width,
        height,
        resolution: Some(resolution(page, width)),
    };
    Ok((read, shown))
}

/// The rows of a drawn page, each of so many bytes, without what the library fills them up with.
fn samples(
    page: &PdfPage<'_>,
    config: &PdfRenderConfig,
    (across, down): (usize, usize),
) -> Outcome<Vec<u8>> {
    let bitmap = page.render_with_config(config);
    let mut samples = bitmap.map_err(pdfium::fault)?.as_raw_bytes();
    let stride = samples.len() / down.max(1);
    if stride < across {
        return Err(Fault::corrupt());
    }
    if stride > across {
        for row in 0..down {
            samples.copy_within(row * stride..row * stride + across, row * across);
        }
    }
    samples.truncate(across * down);
    Ok(samples)
}

/// Pixels an inch.
fn resolution(page: &PdfPage<'_>, width: u32) -> i32 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "at most 100,000,000 pixels"
    )]
    let resolution = (f64::from(width) * POINTS / page_sides(page).0.max(1.0)).round() as i32;
    resolution
}

/// Where the pixels of a picture of a page are in its user space.
pub(super) fn place(page: &PdfPage<'_>, sides: (u32, u32)) -> Outcome<Matrix> {
    let config = config(sides)?;
    let (width, height) = sides;
    let point = |x: u32, y: u32| {
        let place = |pixels: u32| i32::try_from(pixels).map_err(|_| Fault::corrupt());
        let (x, y) = page
            .pixels_to_points(place(x)?, place(y)?, &config)
            .map_err(pdfium::fault)?;
        Ok::<_, Fault>((f64::from(x.value), f64::from(y.value)))
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

/// A page whose text is taken as it is, forms and comments included.
pub(super) fn kept(page: &mut PdfPage<'_>) -> Outcome<Page> {
    // A page that cannot be changed has its text still.
    page.flatten().ok();
    let (width, height) = page_sides(page);
    // Lengths of one point: places on the page become points from its top left corner.
    let whole = sides(page, POINTS, READ);
    let to_points = Matrix([
        width / f64::from(whole.0),
        0.0,
        0.0,
        height / f64::from(whole.1),
        0.0,
        0.0,
    ]);
    let shown = place(page, whole)?
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

/// The words that a page has of its own, in the pixels of a picture of it with these sides.
pub(super) fn words(page: &PdfPage<'_>, sides: (u32, u32)) -> Outcome<Vec<Block>> {
    match place(page, sides)?.inverse() {
        Some(shown) => Ok(block(page, shown)?.into_iter().collect()),
        None => Ok(Vec::new()),
    }
}

/// All lines of a page, in the order of the document.
fn block(page: &PdfPage<'_>, shown: Matrix) -> Outcome<Option<Block>> {
    let text = page.text().map_err(pdfium::fault)?;
    let mut lines = Lines::default();
    for character in text.chars().iter() {
        let Some(read) = character.unicode_char() else {
            continue;
        };
        if read == '\n' {
            lines.end();
        } else if read.is_whitespace() {
            lines.end_word();
        } else if is_real(read) || matches!(read, '\u{2}' | '\u{fffe}') {
            // A hyphen that divides a word at the end of a line.
            let read = if is_real(read) { read } else { '-' };
            lines.add(read, bounds(&character).map(|place| place.mapped(shown)));
        }
    }
    lines.end();
    let rectangles = lines.done.iter().map(|line| line.rectangle);
    Ok(rectangles.reduce(Rectangle::with).map(|rectangle| Block {
        region: 0,
        rectangle,
        lines: lines.done,
    }))
}

/// Where a character stands in the user space of its page.
pub(super) fn bounds(character: &PdfPageTextChar<'_>) -> Option<Rectangle> {
    let bounds = character.loose_bounds().ok()?;
    Some(Rectangle {
        left: bounds.left().value.into(),
        top: bounds.bottom().value.into(),
        right: bounds.right().value.into(),
        bottom: bounds.top().value.into(),
    })
}

/// Lines as they are read, character by character.
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
            (Some(before), Some(place)) => Some(before.with(place)),
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
            false => self.line.rectangle.with(word.rectangle),
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
