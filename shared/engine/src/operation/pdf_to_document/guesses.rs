//! What was guessed of a document's pages, or lost, as its remarks.

use layout::analysis::Warning;
use layout::writers::WriteReport;
use layout::{Block, Content, Page};
use ocr::Found;
use task::Remark;

/// What was guessed or lost so far.
#[derive(Default)]
pub(super) struct Guesses<'a> {
    /// The pages on which OCR found no text, of which some may have text of their own.
    silent: &'a [u32],
    /// How many photographs were cut from pages that another program has read, if their pictures are left out.
    photographs: Option<u32>,
    unread: Vec<u32>,
    pages: u32,
    without_text: u32,
    recognised: Vec<u32>,
    unknown: Vec<u32>,
    untagged: Vec<u32>,
    tables: Vec<u32>,
    /// How sure the least sure table is, from 0 to 1.
    least: Option<f32>,
    cut_off: Vec<u32>,
}

impl<'a> Guesses<'a> {
    /// With what was found on pages that are pictures.
    pub(super) fn knowing(found: &'a Found) -> Self {
        Self {
            silent: &found.silent,
            photographs: found.photographs_of_searchable(),
            ..Self::default()
        }
    }

    pub(super) fn note(&mut self, page: &Page, warnings: &[Warning]) {
        self.note_warnings(page.number, warnings);
        for sure in page.blocks.iter().filter_map(confidence) {
            self.least = Some(self.least.map_or(sure, |least| least.min(sure)));
        }
    }

    /// What was guessed of a page, or lost.
    pub(super) fn note_warnings(&mut self, page: u32, warnings: &[Warning]) {
        self.pages += 1;
        for warning in warnings {
            let pages = match warning {
                Warning::NoText if self.silent.contains(&page) => &mut self.unread,
                Warning::NoText => {
                    self.without_text += 1;
                    continue;
                }
                Warning::RecognisedText => &mut self.recognised,
                Warning::UnknownCharacters { .. } => &mut self.unknown,
                Warning::TagsIgnored => &mut self.untagged,
                Warning::TablesGuessed { .. } => &mut self.tables,
                Warning::TooMuch => &mut self.cut_off,
            };
            pages.push(page);
        }
    }

    pub(super) fn remarks(self, written: &WriteReport) -> Vec<Remark> {
        let sure = percent(self.least.unwrap_or(1.0));
        let of = |pages: Vec<u32>, remark: fn(Vec<u32>) -> Remark| {
            (!pages.is_empty()).then(|| remark(pages))
        };
        let remarks = [
            (self.without_text > 0).then_some(Remark::NoTextLayer(self.without_text, self.pages)),
            of(self.unread, Remark::NothingRecognised),
            (!self.recognised.is_empty())
                .then_some(Remark::RecognisedBefore(self.recognised, self.photographs)),
            of(self.unknown, Remark::CharactersUnknown),
            of(self.untagged, Remark::TagsIgnored),
            (!self.tables.is_empty()).then_some(Remark::TablesGuessed(self.tables, sure)),
            of(self.cut_off, Remark::ContentDropped),
            (written.cut > 0).then_some(Remark::CellsCut(written.cut)),
        ];
        remarks.into_iter().flatten().collect()
    }
}

/// How sure a table is that no lines show.
fn confidence(block: &Block) -> Option<f32> {
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
