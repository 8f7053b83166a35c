//! The text that a page of a PDF holds, as the file has it.

use pdf::pdfium;
use pdfium_render::prelude::PdfPage;
use task::{Fault, Outcome};

/// The characters of a page in the order of the document, ending with a line feed. The library ends lines itself.
pub(super) fn page_text(page: &PdfPage<'_>) -> Outcome<String> {
    let characters = page.text().map_err(pdfium::fault)?;
    let mut text = String::new();
    for character in characters.chars().iter() {
        match character.unicode_char() {
            // A hyphen that divides a word at the end of a line.
            Some('\u{2}' | '\u{fffe}') => text.push('-'),
            Some('\n') => text.push('\n'),
            Some('\t') => text.push('\t'),
            // Carriage returns, and form feeds that would look like the end of a page.
            Some(other) if other.is_control() || other == '\u{ffff}' => {}
            Some(other) => text.push(other),
            None => {}
        }
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    match text.len() {
        0..=PAGE_BYTES => Ok(text),
        _ => Err(Fault::too_large("A page holds more than 64 MB of text.")),
    }
}

/// Most text of one page.
const PAGE_BYTES: usize = 64 * 1024 * 1024;
