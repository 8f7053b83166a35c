//! Checks results of the `pdfa` operation.

mod ink;
mod links;
mod look;

use std::collections::HashMap;

use domain::job::JobErrorCode;
use domain::operation::{Operation, PdfaLevel};
use pdf::pdfium;
use pdfium_render::prelude::PdfDocument;
use task::{Product, Task, TaskError, TaskResult, Verified};
use unicode_normalization::UnicodeNormalization as _;

use super::object_graph::ObjectGraph;
use super::sanitized::may_hide;
use super::{documents, pdf_a};

/// Share of the characters of a page that may be missing, in percent, and their number on any page: extraction varies in
/// ligatures and hyphens.
const MAX_MISSING: (usize, usize) = (1, 4);

/// The error of a document that cannot have the level U.
const UNKNOWN_TEXT: &str = "The document does not define the Unicode text of all its characters, which level 2u of PDF/A requires. Set `level` to `2b`.";

/// The error of a document whose pages became images, which have no text.
const LOST_TEXT: &str = "Level 1b of PDF/A has no transparency: pages with transparent parts would become images without text. Set `level` to `2b`.";

/// Checks that pages look as before and all have the same characters and links, and that the file breaks no rule of its level.
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
    let is_lost = |expected: &Characters, found: &Characters| {
        let missing = expected.iter().map(|(character, count)| {
            count.saturating_sub(found.get(character).copied().unwrap_or(0))
        });
        let (percent, any) = MAX_MISSING;
        missing.sum::<usize>() > any.max(expected.values().sum::<usize>() * percent / 100)
    };
    let mut hides = None;
    for page in 0..source.pages().len() {
        let found = characters(&result, page, false)?;
        if !is_lost(&characters(&source, page, false)?, &found) {
            continue;
        }
        let may_hide = match hides {
            Some(known) => known,
            None => *hides.insert(may_hide(&graph(task)?)),
        };
        if may_hide && !is_lost(&characters(&source, page, true)?, &found) {
            continue;
        }
        return Err(match level == PdfaLevel::A1b && found.is_empty() {
            true => TaskError::document(JobErrorCode::OutputInvalid, LOST_TEXT),
            false => TaskError::output_invalid("a page has other text"),
        });
    }
    if links::are_lost(&source, &result) {
        return Err(TaskError::output_invalid("a link is missing"));
    }
    if look::differs(&source, &result)? && !look::may_differ(&graph(task)?) {
        return Err(TaskError::output_invalid(
            "a part of a page looks different",
        ));
    }
    Ok(verified)
}

/// The objects of the source.
fn graph(task: &Task) -> TaskResult<ObjectGraph> {
    let directory = task.scratch.join("source");
    std::fs::create_dir_all(&directory)?;
    ObjectGraph::read(&task.readable(), &directory)
}

/// Letters and digits, and how often each occurs.
type Characters = HashMap<char, usize>;

/// The characters of a page, or the visible ones only.
fn characters(document: &PdfDocument<'_>, page: i32, visible: bool) -> TaskResult<Characters> {
    let unreadable = |_| TaskError::output_invalid("a page cannot be read");
    let page = document.pages().get(page).map_err(unreadable)?;
    let text = match visible {
        true => ink::visible_text(&page)?,
        false => pdfium::characters(&page).map_err(unreadable)?,
    };
    let mut counts = HashMap::new();
    for character in text.nfkd().filter(|one| one.is_alphanumeric()) {
        *counts.entry(character).or_default() += 1;
    }
    Ok(counts)
}
