//! Counts visible and invisible characters and the images of a PDF page.

use pdf::pdfium;
use pdfium_render::prelude::{
    PdfPage, PdfPageImageObject, PdfPageObject, PdfPageObjectCommon as _,
    PdfPageObjectsCommon as _, PdfPageTextRenderMode,
};
use task::TaskResult;

pub(super) use pdf::content::is_legible;

/// Maximum objects examined per page.
const MAX_OBJECTS: usize = 20_000;
/// Maximum nesting of forms examined.
const MAX_DEPTH: usize = 8;
/// Maximum paths and shadings on a scan: a frame, a stamp, a few rules.
const MAX_MARKS: usize = 50;
/// Minimum fraction of the page that an image covers to determine the resolution.
const MIN_PART: f64 = 0.05;
/// Points per inch.
const POINTS: f64 = 72.0;

/// Content of a page.
#[derive(Default)]
pub(super) struct Survey {
    /// Visible characters.
    pub(super) visible: usize,
    /// Invisible characters, as OCR adds them for search.
    pub(super) invisible: usize,
    /// Whether any glyph is visible, including those without known character.
    pub(super) has_visible_glyphs: bool,
    /// Fraction of the page covered by images; above 1 if they overlap.
    pub(super) covered: f64,
    /// Highest resolution of an image in pixels per inch.
    pub(super) resolution: Option<f64>,
    /// Whether there are visible characters or many paths.
    pub(super) has_line_art: bool,
}

impl Survey {
    /// Examines a page.
    pub(super) fn of(page: &PdfPage<'_>) -> TaskResult<Self> {
        let mut survey = Self::default();
        survey.count_characters(page)?;
        let area = f64::from(page.width().value) * f64::from(page.height().value);
        let (mut left, mut marks) = (MAX_OBJECTS, 0);
        for object in page.objects().iter().take(MAX_OBJECTS) {
            survey.examine(&object, area.max(1.0), MAX_DEPTH, &mut left, &mut marks);
        }
        survey.has_line_art = survey.visible > 0 || marks > MAX_MARKS;
        Ok(survey)
    }

    fn count_characters(&mut self, page: &PdfPage<'_>) -> TaskResult<()> {
        let text = page.text().map_err(pdfium::load_error)?;
        for character in text.chars().iter() {
            let read = character.unicode_char();
            let is_legible = read.is_some_and(is_legible);
            match character.render_mode() {
                Ok(PdfPageTextRenderMode::Invisible) => self.invisible += usize::from(is_legible),
                Ok(_) => {
                    self.visible += usize::from(is_legible);
                    self.has_visible_glyphs |= !read.is_some_and(char::is_whitespace);
                }
                // Characters inserted by pdfium have no text object.
                Err(_) => {}
            }
        }
        Ok(())
    }

    fn examine(
        &mut self,
        object: &PdfPageObject<'_>,
        page: f64,
        depth: usize,
        left: &mut usize,
        marks: &mut usize,
    ) {
        *left = left.saturating_sub(1);
        if *left == 0 || depth == 0 {
            return;
        }
        match object {
            PdfPageObject::Image(image) => self.examine_image(image, page),
            PdfPageObject::XObjectForm(form) => {
                for object in form.iter().take(MAX_OBJECTS) {
                    self.examine(&object, page, depth - 1, left, marks);
                }
            }
            PdfPageObject::Path(_) | PdfPageObject::Shading(_) => *marks += 1,
            _ => {}
        }
    }

    fn examine_image(&mut self, image: &PdfPageImageObject<'_>, page: f64) {
        let (Ok(width), Ok(height), Ok(place)) = (image.width(), image.height(), image.bounds())
        else {
            return;
        };
        let area = f64::from(place.width().value) * f64::from(place.height().value);
        let part = area / page;
        self.covered += part;
        if part >= MIN_PART && area > 0.0 {
            let pixels = f64::from(width) * f64::from(height);
            let resolution = POINTS * (pixels / area).sqrt();
            self.resolution = Some(self.resolution.unwrap_or(0.0).max(resolution));
        }
    }
}
