//! Decides for each page of a PDF whether OCR is needed, and at which resolution.

use domain::operation::OcrMode;
use pdf::content::MIN_LEGIBLE_CHARACTERS;
use pdfium_render::prelude::PdfPage;
use task::TaskResult;

use super::enlarged::Pixels;
use super::survey::Survey;

/// Maximum pixels of a page rendered for OCR.
pub(super) const MAX_PIXELS: f64 = 100_000_000.0;
/// Maximum pixels of a page rendered in color.
pub(super) const MAX_COLOR_PIXELS: f64 = 40_000_000.0;
/// Default rendering resolution, in pixels per inch.
pub(super) const RESOLUTION: f64 = 300.0;
/// Maximum resolution of a rasterized page, so that a scan on it keeps its detail.
const MAX_RESOLUTION: f64 = 600.0;
/// Minimum resolution; scans are not upscaled beyond that, which degrades OCR.
const MIN_RESOLUTION: f64 = 70.0;
/// Points per inch.
pub(super) const POINTS: f64 = 72.0;
/// Memory factor of a page rendered in color as well.
const COLOR_FACTOR: u64 = 4;

/// What is done with a page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PagePlan {
    /// Its existing text is extracted.
    KeepText,
    /// It is rendered with these dimensions in pixels and recognized.
    Recognize {
        sides: (u32, u32),
        /// Resolution of the rendered page in pixels per inch.
        resolution: i32,
        existing: ExistingText,
        /// Number of existing characters that remain in the result.
        kept_characters: usize,
        /// Whether images cover at least half of it.
        is_scan: bool,
    },
}

/// What happens to the existing text of a recognized page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExistingText {
    /// All of it is kept.
    Keep,
    /// The invisible text of an earlier OCR is removed, visible text is kept.
    RemoveInvisible,
    /// All of it is removed: the page is rasterized.
    Rasterize,
}

impl PagePlan {
    /// Plans a page; `rewritten` is whether the page becomes part of the result.
    pub(super) fn of(page: &PdfPage<'_>, mode: OcrMode, rewritten: bool) -> TaskResult<Self> {
        let survey = Survey::of(page)?;
        let relevant = match mode {
            OcrMode::SkipText => survey.visible + survey.invisible,
            OcrMode::Redo => survey.visible,
            OcrMode::Force => 0,
        };
        let is_scan = survey.covered >= 0.5;
        if relevant >= MIN_LEGIBLE_CHARACTERS || (relevant > 0 && !is_scan) {
            return Ok(Self::KeepText);
        }
        let (existing, kept_characters) = match mode {
            OcrMode::Force if survey.has_visible_glyphs && rewritten => {
                (ExistingText::Rasterize, 0)
            }
            _ if survey.invisible > 0 => (ExistingText::RemoveInvisible, survey.visible),
            _ => (ExistingText::Keep, survey.visible),
        };
        let scan_resolution = survey.resolution.filter(|_| is_scan);
        let sides = match scan_resolution {
            _ if existing == ExistingText::Rasterize => {
                let resolution = scan_resolution
                    .unwrap_or(0.0)
                    .clamp(RESOLUTION, MAX_RESOLUTION);
                sides(page, resolution, MAX_COLOR_PIXELS)
            }
            // Render a scan at its own resolution, unless there is text or line art on it.
            Some(resolution) if !survey.has_line_art => sides(
                page,
                resolution.clamp(MIN_RESOLUTION, RESOLUTION),
                MAX_PIXELS,
            ),
            _ => sides(page, RESOLUTION, MAX_PIXELS),
        };
        Ok(Self::Recognize {
            sides,
            resolution: resolution(page, sides.0),
            existing,
            kept_characters,
            is_scan,
        })
    }

    /// Returns the number of pixels that recognition needs memory for.
    pub(super) fn memory(self) -> Option<u64> {
        let pixels = self.pixels()?;
        Some(match self {
            Self::Recognize {
                existing: ExistingText::Rasterize,
                ..
            } => pixels.original * COLOR_FACTOR,
            _ => pixels.recognized,
        })
    }

    /// Returns the number of pixels rendered, and what they become for OCR.
    pub(super) fn pixels(self) -> Option<Pixels> {
        match self {
            Self::KeepText => None,
            Self::Recognize {
                sides, resolution, ..
            } => Some(Pixels::of(sides, Some(resolution))),
        }
    }
}

/// Returns width and height in pixels of a page at a resolution, reduced so as not to exceed `most` pixels.
pub(super) fn sides(page: &PdfPage<'_>, resolution: f64, most: f64) -> (u32, u32) {
    let (width, height) = page_size(page);
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

/// Returns the resolution in pixels per inch of a page rendered with this width.
pub(super) fn resolution(page: &PdfPage<'_>, width: u32) -> i32 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "at most 100,000,000 pixels"
    )]
    let resolution = (f64::from(width) * POINTS / page_size(page).0.max(1.0)).round() as i32;
    resolution
}

/// Limits dimensions to the maximum for color rendering, which takes more memory.
pub(super) fn limit_to_color_pixels((width, height): (u32, u32)) -> (u32, u32) {
    let pixels = f64::from(width) * f64::from(height);
    let scale = (MAX_COLOR_PIXELS / pixels.max(1.0)).sqrt().min(1.0);
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

/// Returns the displayed width and height in points.
pub(super) fn page_size(page: &PdfPage<'_>) -> (f64, f64) {
    (page.width().value.into(), page.height().value.into())
}
