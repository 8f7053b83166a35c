//! What was guessed of a page, or lost.

use serde::{Deserialize, Serialize};

use crate::model::block::{Block, Content};
use crate::model::page::Page;
use crate::model::page_content::PageContent;

/// A page that was read, and what was guessed or lost.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reading {
    /// The page.
    #[serde(flatten)]
    pub page: Page,
    /// In no order; each at most once.
    pub warnings: Vec<Warning>,
    /// Whether the first row of the table that the page begins with goes on with the last row of the page before.
    #[serde(skip)]
    pub(super) is_row_open: bool,
}

/// What was guessed of a page, or lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(
    tag = "code",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum Warning {
    /// There are pictures or drawings and no text: what they show in words can be recognised only.
    NoText,
    /// The text is recognised text that lies invisibly over a picture.
    RecognisedText,
    /// Fonts do not tell which letters these characters are; they are written as U+FFFD.
    UnknownCharacters {
        /// How many.
        count: usize,
    },
    /// What the document says of its structure leaves out much of the page, or contradicts itself: the structure is taken from
    /// where characters stand.
    TagsIgnored,
    /// So many tables were found by gaps between words; each says how sure it is.
    TablesGuessed {
        /// How many.
        count: usize,
    },
    /// There are more drawings, characters or links on the page than are read.
    TooMuch,
}

/// Those that a sheet shows.
pub(super) fn of_sheet(sheet: &PageContent) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let mut seen = sheet
        .characters
        .iter()
        .filter(|character| !character.text.is_whitespace())
        .peekable();
    let draws = !sheet.pictures.is_empty()
        || !sheet.strokes.is_empty()
        || !sheet.fills.is_empty()
        || !sheet.drawings.is_empty();
    // What was to be recognised is a picture, which a sheet of it need not have.
    let shows = draws || sheet.is_recognised;
    if seen.peek().is_none() {
        warnings.extend(shows.then_some(Warning::NoText));
    } else if !sheet.is_recognised && seen.clone().all(|character| character.is_hidden) {
        warnings.push(Warning::RecognisedText);
    }
    let count = seen.filter(|character| is_unknown(character.text)).count();
    warnings.extend((count > 0).then_some(Warning::UnknownCharacters { count }));
    let is_cut = sheet.is_cut || sheet.characters.len() > super::clean::CHARACTERS;
    warnings.extend(is_cut.then_some(Warning::TooMuch));
    warnings
}

/// Those that a page shows.
pub(super) fn of_page(page: &Page) -> Option<Warning> {
    let count = guessed(&page.blocks);
    (count > 0).then_some(Warning::TablesGuessed { count })
}

fn guessed(blocks: &[Block]) -> usize {
    let tables = blocks.iter().filter_map(|block| match &block.content {
        Content::Table(table) => Some(table),
        _ => None,
    });
    tables
        .map(|table| {
            let inner: usize = table.cells.iter().map(|cell| guessed(&cell.blocks)).sum();
            inner + usize::from(!table.ruled && table.confidence < 1.0)
        })
        .sum()
}

/// Whether a font did not tell what a character is. Signs of private use are known as bullets only.
fn is_unknown(text: char) -> bool {
    text == char::REPLACEMENT_CHARACTER
}
