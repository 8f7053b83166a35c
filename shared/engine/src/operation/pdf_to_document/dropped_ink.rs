//! Pages with ink that is not in the result.

use domain::format::Format;
use domain::operation::{ConvertOptions, OcrPolicy};
use ocr::OcrResults;
use pdf::content::PageInk;
use task::options::keeps_pictures;

use super::is_flowing;

/// Numbers of the pages with such ink.
#[derive(Default)]
pub(super) struct DroppedInk {
    /// Those with drawings.
    pub(super) drawings: Vec<u32>,
    /// Those with text in outlines or pictures that was not recognized.
    pub(super) text: Vec<u32>,
    /// Whether OCR is off.
    pub(super) is_ocr_off: bool,
}

impl DroppedInk {
    /// Returns the ink that a flowing document drops, which has text, tables, images and figures only. A fixed layout draws it, except in
    /// plain text, and a request for one table does not ask for it.
    pub(super) fn of(options: &ConvertOptions, ink: &[PageInk], found: &OcrResults) -> Self {
        let is_drawn = !is_flowing(options) && options.format != Format::Txt;
        if is_drawn || options.table.is_some() {
            return Self::default();
        }
        let keeps_figures = is_flowing(options) && keeps_pictures(options);
        let drawings = ink
            .iter()
            .filter(|page| page.has_dropped_drawings(keeps_figures));
        let outlined = ink.iter().filter(|page| !found.has_outlined_text(page));
        let text = outlined
            .map(|page| page.number)
            .chain(found.skipped.iter().chain(&found.unread).copied());
        let mut text: Vec<u32> = text.collect();
        text.sort_unstable();
        text.dedup();
        Self {
            drawings: drawings.map(|page| page.number).collect(),
            text,
            is_ocr_off: options.ocr.unwrap_or_default() == OcrPolicy::Off,
        }
    }

    /// Removes a page.
    pub(super) fn remove(&mut self, page: u32) {
        self.drawings.retain(|dropped| *dropped != page);
        self.text.retain(|dropped| *dropped != page);
    }
}
