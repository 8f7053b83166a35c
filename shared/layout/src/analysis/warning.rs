//! Warnings of analysis: inferred or dropped content.

use serde::{Deserialize, Serialize};

use super::candidates::candidate::Candidate;
use crate::model::block::{Block, Content};
use crate::model::page::Page;
use crate::model::page_content::PageContent;

/// An analyzed page with its warnings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reading {
    /// The page.
    #[serde(flatten)]
    pub page: Page,
    /// Warnings without order; each at most once.
    pub warnings: Vec<Warning>,
    /// Scored candidates, if [`super::Options::explain`] is set.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<Candidate>,
    /// Whether the first row of the table at the beginning of the page continues the last row of the previous page.
    #[serde(skip)]
    pub(super) is_row_open: bool,
}

/// A warning about inferred or dropped content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(
    tag = "code",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum Warning {
    /// There are pictures or drawings but no text; OCR is required.
    NoText,
    /// The text is an invisible OCR layer over a picture.
    RecognizedText,
    /// Characters whose fonts have no Unicode mapping; they become U+FFFD.
    UnknownCharacters {
        /// Number of characters.
        count: usize,
    },
    /// The structure tree misses much of the page or contradicts itself, so the structure is inferred from positions.
    TagsIgnored,
    /// Borderless tables were detected; each has a confidence.
    TablesGuessed {
        /// Number of tables.
        count: usize,
    },
    /// Words outside the page were dropped.
    TextOutside {
        /// Number of words.
        count: usize,
    },
    /// Drawings, characters or links beyond a limit were dropped.
    TooMuch,
}

/// Returns the warnings about page content.
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
    // A page with OCR text had a picture, even if that was removed.
    let shows = draws || sheet.is_recognized;
    if seen.peek().is_none() {
        warnings.extend(shows.then_some(Warning::NoText));
    } else if !sheet.is_recognized && seen.clone().all(|character| character.is_hidden) {
        warnings.push(Warning::RecognizedText);
    }
    let count = seen.filter(|character| is_unknown(character.text)).count();
    warnings.extend((count > 0).then_some(Warning::UnknownCharacters { count }));
    let count = sheet.words_outside;
    warnings.extend((count > 0).then_some(Warning::TextOutside { count }));
    let is_truncated =
        sheet.is_truncated || sheet.characters.len() > super::glyphs::clean::CHARACTERS;
    warnings.extend(is_truncated.then_some(Warning::TooMuch));
    warnings
}

/// Returns the warning about detected tables.
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

/// Whether a character has no Unicode mapping. Private use characters are known as bullets only.
fn is_unknown(text: char) -> bool {
    text == char::REPLACEMENT_CHARACTER
}
