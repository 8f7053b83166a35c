//! Collects the warnings about the pages of a document: missing or uncertain text, inferred tables, dropped content.

use layout::analysis::Warning as PageWarning;
use layout::writers::WriteReport;
use layout::{Block, Content, Page};
use ocr::OcrResults;
use task::{DroppedContent, Warning};

use super::dropped_ink::DroppedInk;

/// Warnings collected so far.
#[derive(Default)]
pub(super) struct PageWarnings<'a> {
    /// Pages on which OCR found no text; some may have a text layer.
    without_ocr_text: &'a [u32],
    /// Number of photographs cropped from searchable scans, if pictures are dropped.
    photographs: Option<u32>,
    nothing_recognized: Vec<u32>,
    pages: u32,
    without_text: u32,
    recognized_before: Vec<u32>,
    unknown: Vec<u32>,
    words_outside: u32,
    untagged: Vec<u32>,
    tables: Vec<u32>,
    /// Lowest confidence of a borderless table, 0 to 1.
    lowest_confidence: Option<f32>,
    cut_off: Vec<u32>,
    dropped_ink: DroppedInk,
}

impl<'a> PageWarnings<'a> {
    /// Starts with the OCR results.
    pub(super) fn new(found: &'a OcrResults) -> Self {
        Self {
            without_ocr_text: &found.without_text,
            photographs: found.photographs_of_searchable(),
            ..Self::default()
        }
    }

    /// Adds pages with ink that is not in the result. The warning about a page without any text includes it.
    pub(super) fn with_dropped_ink(self, dropped_ink: DroppedInk) -> Self {
        Self {
            dropped_ink,
            ..self
        }
    }

    /// Adds pages with drawings that are not in the result.
    pub(super) fn add_dropped_drawings(&mut self, pages: &[u32]) {
        self.dropped_ink.add_drawings(pages);
    }

    pub(super) fn add_page(&mut self, page: &Page, warnings: &[PageWarning]) {
        self.add_warnings(page.number, warnings);
        for table_confidence in page.blocks.iter().filter_map(table_confidence) {
            self.lowest_confidence = Some(
                self.lowest_confidence
                    .map_or(table_confidence, |lowest| lowest.min(table_confidence)),
            );
        }
    }

    /// Adds the warnings of a page.
    pub(super) fn add_warnings(&mut self, page: u32, warnings: &[PageWarning]) {
        self.pages += 1;
        for warning in warnings {
            if *warning == PageWarning::NoText {
                self.dropped_ink.remove(page);
            }
            let pages = match warning {
                PageWarning::NoText if self.without_ocr_text.contains(&page) => {
                    &mut self.nothing_recognized
                }
                PageWarning::NoText => {
                    self.without_text += 1;
                    continue;
                }
                PageWarning::TextOutside { count } => {
                    let count = u32::try_from(*count).unwrap_or(u32::MAX);
                    self.words_outside = self.words_outside.saturating_add(count);
                    continue;
                }
                PageWarning::RecognizedText => &mut self.recognized_before,
                PageWarning::UnknownCharacters { .. } => &mut self.unknown,
                PageWarning::TagsIgnored => &mut self.untagged,
                PageWarning::TablesGuessed { .. } => &mut self.tables,
                PageWarning::TooMuch => &mut self.cut_off,
            };
            pages.push(page);
        }
    }

    /// Whether there are pages with pictures or drawings but without text.
    pub(super) fn has_pages_without_text(&self) -> bool {
        self.without_text > 0 || !self.nothing_recognized.is_empty()
    }

    pub(super) fn warnings(self, written: &WriteReport) -> Vec<Warning> {
        let table_confidence = percent(self.lowest_confidence.unwrap_or(1.0));
        let of = |pages: Vec<u32>, warning: fn(Vec<u32>) -> Warning| {
            (!pages.is_empty()).then(|| warning(pages))
        };
        let text_not_recognized: fn(Vec<u32>) -> Warning = match self.dropped_ink.is_ocr_off {
            true => Warning::TextNotRecognizedWithoutOcr,
            false => Warning::TextNotRecognized,
        };
        let warnings = [
            (self.without_text > 0).then_some(Warning::NoTextLayer(self.without_text, self.pages)),
            of(self.nothing_recognized, Warning::NoTextRecognized),
            (!self.recognized_before.is_empty()).then_some(Warning::TextRecognizedBefore(
                self.recognized_before,
                self.photographs,
            )),
            of(self.unknown, Warning::CharactersUnknown),
            of(self.untagged, Warning::TagsIgnored),
            (!self.tables.is_empty()).then_some(Warning::BorderlessTablesDetected(
                self.tables,
                table_confidence,
            )),
            of(self.dropped_ink.text, text_not_recognized),
            of(self.dropped_ink.drawings, Warning::DrawingsDropped),
            of(self.cut_off, Warning::ContentDropped),
            (self.words_outside > 0)
                .then_some(Warning::Dropped(DroppedContent::Hidden, self.words_outside)),
            (written.truncated_cells > 0)
                .then_some(Warning::CellsTruncated(written.truncated_cells)),
        ];
        warnings.into_iter().flatten().collect()
    }
}

/// Confidence of a borderless table.
fn table_confidence(block: &Block) -> Option<f32> {
    match &block.content {
        Content::Table(table) => Some(table.confidence),
        _ => None,
    }
}

fn percent(share: f32) -> u8 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "from 0 to 100"
    )]
    let percent = (share.clamp(0.0, 1.0) * 100.0).round() as u8;
    percent
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_that_are_not_rendered_are_drawings_left_out() {
        let found = OcrResults::default();
        let dropped_ink = DroppedInk {
            drawings: vec![2],
            ..DroppedInk::default()
        };
        let mut warnings = PageWarnings::new(&found).with_dropped_ink(dropped_ink);
        warnings.add_dropped_drawings(&[1, 2]);
        let warnings = warnings.warnings(&WriteReport::default());
        assert_eq!(warnings, [Warning::DrawingsDropped(vec![1, 2])]);
    }
}
