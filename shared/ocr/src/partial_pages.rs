//! Pages of which only areas are recognized: outlined text and pictures of text beside existing text.

use std::collections::BTreeMap;

use layout::Rect;
use pdf::content::OcrCandidate;
use pdfium_render::prelude::PdfPage;
use task::matrix::Matrix;

use super::ocr_page::{Block, Rectangle, confidence, retain_words, words};
use super::page_plan::{PagePlan, page_size};
use super::photographs::has_credible_word;
use super::picture::Picture;

/// Minimum part of a page that pictures of text cover for it to be recognized as a scan.
const MIN_SCAN: f64 = 0.5;
/// Margin around the areas, in points.
const MARGIN: f32 = 4.0;
/// Minimum mean confidence of the words of an area.
const MIN_CONFIDENCE: f64 = 60.0;

/// The areas that are recognized, by page index.
pub(super) type PartialPages = BTreeMap<usize, PartialPage>;

/// The areas of a page, in points.
pub(super) struct PartialPage {
    areas: Vec<Rectangle>,
    /// Bounds of the pictures of nothing but text among them.
    pub(super) pictures: Vec<Rect>,
    /// Area of all pictures among them, in square points.
    pictures_area: f64,
    points: (f64, f64),
}

impl PartialPage {
    /// Returns the areas of a candidate; `None` if it has none, or if pictures of text cover most of the page.
    pub(super) fn of(candidate: &OcrCandidate, page: &PdfPage<'_>) -> Option<Self> {
        let pictures = &candidate.pictures;
        let in_pictures = pictures.whole.iter().chain(&pictures.partial);
        let pictures_area = in_pictures.clone().map(|area| rectangle(area).area()).sum();
        let areas = candidate.outlined_text.iter().chain(in_pictures);
        Some(Self {
            areas: areas.map(|area| rectangle(&area.grown(MARGIN))).collect(),
            pictures: pictures.whole.clone(),
            pictures_area,
            points: page_size(page),
        })
        .filter(|partial| !partial.areas.is_empty())
    }

    /// Whether the page is a scan with some existing text.
    pub(super) fn is_scan(&self) -> bool {
        self.pictures_area >= MIN_SCAN * self.points.0 * self.points.1
    }

    /// Plans the page.
    pub(super) fn plan(&self, page: &PdfPage<'_>) -> PagePlan {
        PagePlan::of_areas(page, &self.areas)
    }

    /// Returns the picture of the page without everything else.
    pub(super) fn masked(&self, picture: &Picture) -> Picture {
        let sides = (picture.width, picture.height);
        picture.with_only(&self.in_pixels(sides, Matrix::IDENTITY))
    }

    /// Removes the words outside of the areas, and those of areas that are not readable. `back` maps pixels of the recognized
    /// picture to those of the rendered page with these dimensions.
    pub(super) fn readable(
        &self,
        blocks: Vec<Block>,
        sides: (u32, u32),
        back: Matrix,
    ) -> Vec<Block> {
        let Some(to_read) = back.inverse() else {
            return Vec::new();
        };
        let mut areas = self.in_pixels(sides, to_read);
        areas.retain(|area| {
            let inside = retain_words(blocks.clone(), |word| area.contains_center(word.rectangle));
            let mean = confidence(words(&inside)).unwrap_or(0.0);
            mean >= MIN_CONFIDENCE && has_credible_word(&inside)
        });
        retain_words(blocks, |word| {
            areas
                .iter()
                .any(|area| area.contains_center(word.rectangle))
        })
    }

    fn in_pixels(&self, (width, height): (u32, u32), to: Matrix) -> Vec<Rectangle> {
        let across = f64::from(width) / self.points.0.max(1.0);
        let down = f64::from(height) / self.points.1.max(1.0);
        let to = Matrix::scale(across, down).then(to);
        self.areas.iter().map(|area| area.transformed(to)).collect()
    }
}

fn rectangle(area: &Rect) -> Rectangle {
    Rectangle {
        left: area.left.into(),
        top: area.top.into(),
        right: area.right.into(),
        bottom: area.bottom.into(),
    }
}
