//! The existing text of a PDF page.

use pdf::pdfium;
use pdfium_render::prelude::PdfPage;
use task::{TaskError, TaskResult};

/// Returns the characters of a page in document order, ending with a line feed. pdfium inserts line ends.
pub(super) fn page_text(page: &PdfPage<'_>) -> TaskResult<String> {
    let characters = page.text().map_err(pdfium::load_error)?;
    let mut text = String::new();
    for character in characters.chars().iter() {
        match character.unicode_char() {
            // Hyphens at line ends.
            Some('\u{2}' | '\u{fffe}') => text.push('-'),
            Some('\n') => text.push('\n'),
            Some('\t') => text.push('\t'),
            // Carriage returns, and form feeds, which would look like page breaks.
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
        _ => Err(TaskError::too_large("A page has more than 64 MiB of text.")),
    }
}

/// Maximum bytes of text per page.
const PAGE_BYTES: usize = 64 * 1024 * 1024;
