//! The pages of a PDF: which are read as pictures, what these look like, and the text of the others.

use domain::operation::OcrMode;
use pdfium_render::prelude::{PdfBitmapFormat, PdfDocument, PdfPage, PdfRenderConfig};

use super::layout::{Block, Line, Matrix, Page, Rectangle, Unit, Word};
use super::picture::Picture;
use super::survey::{Survey, is_real};
use crate::fault::{Fault, Outcome};
use crate::operation::pdf_to_text;
use crate::pdfium;

/// Most pixels of the picture of one page.
const PIXELS: f64 = 100_000_000.0;
/// Resolution of pictures of pages that are drawn, in pixels an inch.
const RESOLUTION: f64 = 300.0;
/// Least resolution; a scan is not scaled up, which makes recognition worse.
const LEAST: f64 = 70.0;
/// Points an inch.
const POINTS: f64 = 72.0;
/// Characters from which a page that shows a picture counts as text, not as a picture with a stamp on it.
const STAMP: usize = 32;

/// What is done with a page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Fate {
    /// Its text is taken as it is.
    Kept,
    /// It is drawn with these sides in pixels, and read; `hidden` says whether it has text of an earlier recognition,
    /// which is taken out.
    Read { sides: (u32, u32), hidden: bool },
}

impl Fate {
    /// Decides on a page.
    pub(super) fn of(page: &PdfPage<'_>, mode: OcrMode) -> Outcome<Self> {
        let survey = Survey::of(page)?;
        let counted = match mode {
            OcrMode::SkipText => survey.seen + survey.hidden,
            OcrMode::Redo => survey.seen,
            OcrMode::Force => 0,
        };
        let is_scan = survey.covered >= 0.5;
        if counted >= STAMP || (counted > 0 && !is_scan) {
            return Ok(Self::Kept);
        }
        let drawn = match survey.resolution {
            // The scan as it is, unless letters or lines are drawn over it.
            Some(resolution) if is_scan && !survey.is_drawn => resolution.clamp(LEAST, RESOLUTION),
            _ => RESOLUTION,
        };
        Ok(Self::Read {
            sides: sides(page, drawn),
            hidden: survey.hidden > 0 && mode != OcrMode::SkipText,
        })
    }

    /// How many pixels are read.
    pub(super) fn pixels(self) -> Option<u64> {
        match self {
            Self::Kept => None,
            Self::Read { sides, .. } => Some(u64::from(sides.0) * u64::from(sides.1)),
        }
    }
}

/// Width and height in pixels of a page at a resolution, or at the highest that is allowed.
fn sides(page: &PdfPage<'_>, resolution: f64) -> (u32, u32) {
    let (width, height) = page_sides(page);
    let most = (PIXELS * POINTS * POINTS / (width * height).max(1.0)).sqrt();
    let pixels = |side: f64| {
        (side * resolution.min(most) / POINTS)
            .round()
            .clamp(1.0, PIXELS)
    };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped above"
    )]
    let pixels = |side: f64| pixels(side) as u32;
    (pixels(width), pixels(height))
}

/// Width and height in points, as the page is shown.
pub(super) fn page_sides(page: &PdfPage<'_>) -> (f64, f64) {
    (page.width().value.into(), page.height().value.into())
}

/// The page at an index.
pub(super) fn page<'a>(document: &'a PdfDocument<'_>, index: usize) -> Outcome<PdfPage<'a>> {
    let index = i32::try_from(index).map_err(|_| Fault::corrupt())?;
    document.pages().get(index).map_err(pdfium::fault)
}

fn config((width, height): (u32, u32)) -> Outcome<PdfRenderConfig> {
    let side = |pixels: u32| i32::try_from(pixels).map_err(|_| Fault::corrupt());
    Ok(PdfRenderConfig::new()
        .set_fixed_size(side(width)?, side(height)?)
        .set_format(PdfBitmapFormat::Gray)
        .set_reverse_byte_order(false)
        .render_annotations(true)
        .render_form_data(true))
}

/// Draws a page in grey on white.
pub(super) fn draw(page: &PdfPage<'_>, (width, height): (u32, u32)) -> Outcome<Picture> {
    let bitmap = page.render_with_config(&config((width, height))?);
    let mut samples = bitmap.map_err(pdfium::fault)?.as_raw_bytes();
    let (across, down) = (width as usize, height as usize);
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
    #[expect(
        clippy::cast_possible_truncation,
        reason = "at most 100,000,000 pixels"
    )]
    let resolution = (f64::from(width) * POINTS / page_sides(page).0.max(1.0)).round() as i32;
    Ok(Picture {
        samples,
        width,
        height,
        resolution: Some(resolution),
    })
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
    let whole = sides(page, POINTS);
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
        text: Some(pdf_to_text::text(page)?),
        ..Page::default()
    })
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
            let place = character.loose_bounds().ok().map(|bounds| Rectangle {
                left: bounds.left().value.into(),
                top: bounds.bottom().value.into(),
                right: bounds.right().value.into(),
                bottom: bounds.top().value.into(),
            });
            lines.add(read, place.map(|place| place.mapped(shown)));
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
