//! Scans with the text layer of an earlier OCR: their text is kept, and photographs and rules are detected as on other scans.

use std::path::Path;

use domain::operation::OcrMode;
use layout::Stroke;
use pdf::content::OcrPage;
use pdf::pdfium;
use pdfium_render::prelude::{PdfDocument, PdfPage};
use task::progress::ProgressWriter;
use task::{Task, TaskResult};

use super::ocr_result::OcrResult;
use super::page_plan::{PagePlan, limit_to_color_pixels, page_size};
use super::scanned_pages::OcrResults;
use super::shown::Leaf;
use super::{RECOGNITION_PROGRESS, document};

/// Maximum pixels of all analyzed pages, enough for some hundred pages; photographs of further pages are not detected.
const MAX_PIXELS: u64 = 4_000_000_000;
/// Maximum slope of a page on which detected rules are used: rules are deskewed, the existing text is not.
const MAX_SLOPE: f64 = 0.002;

impl OcrResults {
    /// Analyzes pages whose text layer covers their scan: their images are dropped, except photographs cut from them.
    ///
    /// # Errors
    /// Damaged documents, or files that cannot be written.
    pub fn analyze_searchable(
        &mut self,
        task: &Task,
        file: &Path,
        pages: &[u32],
    ) -> TaskResult<()> {
        if pages.is_empty() {
            return Ok(());
        }
        let library = pdfium::load(task)?;
        let document = library.load_pdf_from_file(file, None);
        let document = document.map_err(pdfium::load_error)?;
        let mut progress = ProgressWriter::for_range(&task.scratch, RECOGNITION_PROGRESS);
        let mut left = MAX_PIXELS;
        for (index, number) in pages.iter().enumerate() {
            self.analyze_page(task, &document, *number, &mut left)?;
            progress.report(index + 1, pages.len());
        }
        Ok(())
    }

    fn analyze_page(
        &mut self,
        task: &Task,
        document: &PdfDocument<'_>,
        number: u32,
        left: &mut u64,
    ) -> TaskResult<()> {
        let page = document::page(document, (number as usize).saturating_sub(1))?;
        let plan = PagePlan::of(&page, OcrMode::Redo, false)?;
        let PagePlan::Recognize { sides, .. } = plan else {
            return Ok(());
        };
        *left = left.saturating_sub(plan.pixels().map_or(MAX_PIXELS, |pixels| pixels.original));
        // Further pages keep their images, as they are not analyzed.
        if *left == 0 {
            return Ok(());
        }
        let leaf = leaf(&page, number, sides)?;
        self.searchable.push(number);
        let read = OcrPage {
            strokes: Some(strokes(&leaf)),
            keeps_existing_text: true,
            ..OcrPage::default()
        };
        self.pages.0.insert(number, read);
        if leaf.shows_photographs() {
            let (_, shown) = document::render_in_color(&page, limit_to_color_pixels(sides))?;
            self.cut(task, &leaf, shown)?;
        }
        Ok(())
    }
}

/// Builds a page with its existing words in place of recognized ones.
fn leaf(page: &PdfPage<'_>, number: u32, sides: (u32, u32)) -> TaskResult<Leaf> {
    let picture = document::render(page, sides, true)?;
    let reading = OcrResult::from_existing(document::existing_words(page, sides)?);
    Ok(Leaf {
        number,
        points: page_size(page),
        sides,
        is_scan: true,
        is_upright: false,
        is_all: false,
        partial: None,
        reading: reading.with_graphics(&picture).separate_photographs(true),
    })
}

/// Returns the rules of a page, if they are as horizontal as its text.
fn strokes(leaf: &Leaf) -> Vec<Stroke> {
    let ruled = leaf.reading.ruled.as_ref();
    let ruled = ruled.filter(|(straight, _)| straight.slope.abs() <= MAX_SLOPE);
    let rules = ruled.into_iter().flat_map(|(_, rules)| rules);
    let strokes = rules.map(|rule| Stroke {
        bounds: leaf.bounds(*rule),
    });
    strokes.collect()
}
