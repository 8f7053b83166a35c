//! Checks results of the `pdfa` operation.

use std::collections::HashMap;

use domain::job::JobErrorCode;
use domain::operation::{Operation, PdfaLevel};
use pdf::pdfium;
use pdfium_render::prelude::PdfDocument;
use task::{Product, Task, TaskError, TaskResult, Verified};
use unicode_normalization::UnicodeNormalization as _;

use super::{documents, pdf_a};

/// Share of the characters of a page that may be missing, in percent, and their number on any page: extraction varies in
/// ligatures and hyphens.
const MAX_MISSING: (usize, usize) = (1, 4);

/// The error of a document that cannot have the level U.
const UNKNOWN_TEXT: &str = "The document does not define the Unicode text of all its characters, which level 2u of PDF/A requires. Set `level` to `2b`.";

/// The error of a document whose pages became images, which have no text.
const LOST_TEXT: &str = "Level 1b of PDF/A has no transparency: pages with transparent parts would become images without text. Set `level` to `2b`.";

/// Checks that all pages look as before and have the same characters, and that the file breaks no rule of its level.
///
/// # Errors
/// [`TaskError::Document`] with `output_invalid` if the result fails a check.
pub fn archivable(task: &Task, product: &Product) -> TaskResult<Verified> {
    let verified = documents(task, product)?;
    let Operation::Pdfa(options) = &task.operation else {
        return Err(TaskError::Installation("operation is not pdfa".to_owned()));
    };
    let level = options.level.unwrap_or_default();
    let violations = pdf_a::violations(&task.output(), &task.scratch, level)?;
    let other = violations.iter().find(|found| !found.is_of_unicode());
    if let Some(violation) = other.or(violations.first()) {
        return Err(match violation.is_of_unicode() {
            true => TaskError::document(JobErrorCode::OutputInvalid, UNKNOWN_TEXT),
            false => TaskError::output_invalid(&violation.to_string()),
        });
    }
    let library = pdfium::load(task)?;
    let source = pdfium::open(&library, task)?;
    let result = library.load_pdf_from_file(&task.output(), None);
    let result = result.map_err(|_| TaskError::output_invalid("it does not open"))?;
    for page in 0..source.pages().len() {
        let (expected, found) = (characters(&source, page)?, characters(&result, page)?);
        let all: usize = expected.values().sum();
        let missing = expected.iter().map(|(character, count)| {
            count.saturating_sub(found.get(character).copied().unwrap_or(0))
        });
        let (percent, any) = MAX_MISSING;
        if missing.sum::<usize>() <= any.max(all * percent / 100) {
            continue;
        }
        return Err(match level == PdfaLevel::A1b && found.is_empty() {
            true => TaskError::document(JobErrorCode::OutputInvalid, LOST_TEXT),
            false => TaskError::output_invalid("a page has other text"),
        });
    }
    Ok(verified)
}

/// The letters and digits of a page, and how often each occurs.
fn characters(document: &PdfDocument<'_>, page: i32) -> TaskResult<HashMap<char, usize>> {
    let unreadable = |_| TaskError::output_invalid("a page cannot be read");
    let page = document.pages().get(page).map_err(unreadable)?;
    let text = pdfium::characters(&page).map_err(unreadable)?;
    let mut counts = HashMap::new();
    for character in text.nfkd().filter(|one| one.is_alphanumeric()) {
        *counts.entry(character).or_default() += 1;
    }
    Ok(counts)
}
