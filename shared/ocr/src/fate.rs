//! What is done with a page of a PDF.

use domain::operation::OcrMode;
use pdf::content::STAMP;
use pdfium_render::prelude::PdfPage;
use task::Outcome;

use super::survey::Survey;

/// Most pixels of the picture that a page is read from.
pub(super) const READ: f64 = 100_000_000.0;
/// Most pixels of a page that is drawn in colour.
pub(super) const REDRAWN: f64 = 40_000_000.0;
/// Resolution of pictures of pages that are drawn, in pixels an inch.
const RESOLUTION: f64 = 300.0;
/// Most that a page is redrawn with, to keep a scan on it as it is.
const FINEST: f64 = 600.0;
/// Least resolution; a scan is not scaled up, which makes recognition worse.
const LEAST: f64 = 70.0;
/// Points an inch.
pub(super) const POINTS: f64 = 72.0;

/// What is done with a page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Fate {
    /// Its text is taken as it is.
    Kept,
    /// It is drawn with these sides in pixels, and read.
    Read {
        sides: (u32, u32),
        own: Own,
        /// Characters of its own that are found in the result, too.
        found: usize,
        /// Whether pictures take most of it.
        is_scan: bool,
    },
}

/// What becomes of the text that a page has of its own, when it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Own {
    /// It stays.
    Stays,
    /// What an earlier recognition has left goes, what is seen stays.
    HiddenGoes,
    /// All of it goes: a picture takes the page's place.
    AllGoes,
}

impl Fate {
    /// Decides on a page; `rewritten` says whether it is in the result.
    pub(super) fn of(page: &PdfPage<'_>, mode: OcrMode, rewritten: bool) -> Outcome<Self> {
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
        let (own, found) = match mode {
            OcrMode::Force if survey.has_letters && rewritten => (Own::AllGoes, 0),
            _ if survey.hidden > 0 => (Own::HiddenGoes, survey.seen),
            _ => (Own::Stays, survey.seen),
        };
        let scanned = survey.resolution.filter(|_| is_scan);
        let sides = match scanned {
            _ if own == Own::AllGoes => {
                let resolution = scanned.unwrap_or(0.0).clamp(RESOLUTION, FINEST);
                sides(page, resolution, REDRAWN)
            }
            // The scan as it is, unless letters or lines are drawn over it.
            Some(resolution) if !survey.is_drawn => {
                sides(page, resolution.clamp(LEAST, RESOLUTION), READ)
            }
            _ => sides(page, RESOLUTION, READ),
        };
        Ok(Self::Read {
            sides,
            own,
            found,
            is_scan,
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

/// Width and height in pixels of a page at a resolution, or at the highest of which there are no more pixels than `most`.
pub(super) fn sides(page: &PdfPage<'_>, resolution: f64, most: f64) -> (u32, u32) {
    let (width, height) = page_sides(page);
    let highest = (most * POINTS * POINTS / (width * height).max(1.0)).sqrt();
    let pixels = |side: f64| {
        (side * resolution.min(highest) / POINTS)
            .round()
            .clamp(1.0, most)
    };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped above"
    )]
    let pixels = |side: f64| pixels(side) as u32;
    (pixels(width), pixels(height))
}

/// The sides with which a page is drawn in colour, which takes more memory.
pub(super) fn fitting((width, height): (u32, u32)) -> (u32, u32) {
    let pixels = f64::from(width) * f64::from(height);
    let scale = (REDRAWN / pixels.max(1.0)).sqrt().min(1.0);
    let side = |pixels: u32| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "no more than before"
        )]
        let side = (f64::from(pixels) * scale).round().max(1.0) as u32;
        side
    };
    (side(width), side(height))
}

/// Width and height in points, as the page is shown.
pub(super) fn page_sides(page: &PdfPage<'_>) -> (f64, f64) {
    (page.width().value.into(), page.height().value.into())
}
