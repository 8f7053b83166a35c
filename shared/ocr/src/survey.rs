//! What there is on a page of a PDF: characters that are seen and that are not, and pictures.

use pdf::pdfium;
use pdfium_render::prelude::{
    PdfPage, PdfPageImageObject, PdfPageObject, PdfPageObjectCommon as _,
    PdfPageObjectsCommon as _, PdfPageTextRenderMode,
};
use task::Outcome;

pub(super) use pdf::content::is_real;

/// Most objects of a page that are looked at.
const OBJECTS: usize = 20_000;
/// Deepest nesting of forms that is looked into.
const DEPTH: usize = 8;
/// Lines and areas up to which a scan is still one: a frame, a mark, a few rules.
const MARKS: usize = 50;
/// Least part of a page that a picture takes to say something of its resolution.
const PART: f64 = 0.05;
/// Points an inch.
const POINTS: f64 = 72.0;

/// What there is on a page.
#[derive(Default)]
pub(super) struct Survey {
    /// Characters that are drawn.
    pub(super) seen: usize,
    /// Characters that are there for search only, as recognition leaves them.
    pub(super) hidden: usize,
    /// Whether any letter is drawn, also one of no known meaning.
    pub(super) has_letters: bool,
    /// How much of the page pictures cover, from 0 to 1 and more where they lie over each other.
    pub(super) covered: f64,
    /// The highest resolution of a picture, in pixels an inch.
    pub(super) resolution: Option<f64>,
    /// Whether letters or many lines are drawn.
    pub(super) is_drawn: bool,
}

impl Survey {
    /// Looks at a page.
    pub(super) fn of(page: &PdfPage<'_>) -> Outcome<Self> {
        let mut survey = Self::default();
        survey.count_characters(page)?;
        let area = f64::from(page.width().value) * f64::from(page.height().value);
        let (mut left, mut marks) = (OBJECTS, 0);
        for object in page.objects().iter().take(OBJECTS) {
            survey.look(&object, area.max(1.0), DEPTH, &mut left, &mut marks);
        }
        survey.is_drawn = survey.seen > 0 || marks > MARKS;
        Ok(survey)
    }

    fn count_characters(&mut self, page: &PdfPage<'_>) -> Outcome<()> {
        let text = page.text().map_err(pdfium::fault)?;
        for character in text.chars().iter() {
            let read = character.unicode_char();
            let is_real = read.is_some_and(is_real);
            match character.render_mode() {
                Ok(PdfPageTextRenderMode::Invisible) => self.hidden += usize::from(is_real),
                Ok(_) => {
                    self.seen += usize::from(is_real);
                    self.has_letters |= !read.is_some_and(char::is_whitespace);
                }
                // What the library puts in itself belongs to no object.
                Err(_) => {}
            }
        }
        Ok(())
    }

    fn look(
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
            PdfPageObject::Image(image) => self.look_at_picture(image, page),
            PdfPageObject::XObjectForm(form) => {
                for object in form.iter().take(OBJECTS) {
                    self.look(&object, page, depth - 1, left, marks);
                }
            }
            PdfPageObject::Path(_) | PdfPageObject::Shading(_) => *marks += 1,
            _ => {}
        }
    }

    fn look_at_picture(&mut self, image: &PdfPageImageObject<'_>, page: f64) {
        let (Ok(width), Ok(height), Ok(place)) = (image.width(), image.height(), image.bounds())
        else {
            return;
        };
        let area = f64::from(place.width().value) * f64::from(place.height().value);
        let part = area / page;
        self.covered += part;
        if part >= PART && area > 0.0 {
            let pixels = f64::from(width) * f64::from(height);
            let resolution = POINTS * (pixels / area).sqrt();
            self.resolution = Some(self.resolution.unwrap_or(0.0).max(resolution));
        }
    }
}
