//! Pages with ink that is not in the result.

use std::collections::HashMap;

use domain::format::Format;
use domain::operation::{ConvertOptions, OcrPolicy};
use ocr::OcrResults;
use pdf::content::{InkArea, PageInk};
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
    /// Returns the text of the source that is missing from the result.
    pub(super) fn of(options: &ConvertOptions, ink: &[PageInk], found: &OcrResults) -> Self {
        if options.table.is_some() {
            return Self::default();
        }
        let mut text = found.missed.clone();
        if drops_ink(options) {
            let outlined = ink.iter().filter(|page| !found.has_outlined_text(page));
            text.extend(outlined.map(|page| page.number));
            text.extend(found.skipped.iter().chain(&found.unread));
        }
        text.sort_unstable();
        text.dedup();
        Self {
            drawings: Vec::new(),
            text,
            is_ocr_off: options.ocr.unwrap_or_default() == OcrPolicy::Off,
        }
    }

    /// Adds the drawings that are missing from the result, by the ink of the pages that are written: the text that OCR recognized
    /// decides about figures, too. The ink of the source has the outlined text, which is reported for itself.
    pub(super) fn with_drawings(
        self,
        options: &ConvertOptions,
        source: &[PageInk],
        written: &[PageInk],
    ) -> Self {
        if !drops_ink(options) {
            return self;
        }
        let outlined = source
            .iter()
            .map(|page| (page.number, &*page.outlined_text));
        let outlined: HashMap<u32, &[InkArea]> = outlined.collect();
        let keeps_figures = is_flowing(options) && keeps_pictures(options);
        let drawings = written.iter().filter(|page| {
            let outlined = outlined.get(&page.number).copied();
            page.has_dropped_drawings(keeps_figures, outlined.unwrap_or_default())
        });
        Self {
            drawings: drawings.map(|page| page.number).collect(),
            ..self
        }
    }

    /// Adds pages with drawings.
    pub(super) fn add_drawings(&mut self, pages: &[u32]) {
        self.drawings.extend(pages);
        self.drawings.sort_unstable();
        self.drawings.dedup();
    }

    /// Removes a page.
    pub(super) fn remove(&mut self, page: u32) {
        self.drawings.retain(|dropped| *dropped != page);
        self.text.retain(|dropped| *dropped != page);
    }
}

/// Whether the result has only some of the drawings: a flowing document has text, tables, images and figures only. A fixed
/// layout draws them, except in plain text, and a request for one table does not ask for them.
fn drops_ink(options: &ConvertOptions) -> bool {
    let is_drawn = !is_flowing(options) && options.format != Format::Txt;
    !is_drawn && options.table.is_none()
}
