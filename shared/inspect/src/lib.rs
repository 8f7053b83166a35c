//! Checks a source before an engine reads it: format, integrity, encryption, and limits.
//!
//! The content decides what a document is. Magic bytes of another known format are `content_mismatch`. Without known magic
//! bytes, a declared format that requires them makes the document `input_corrupt`, because it may just be damaged. The message
//! of either names the format that the content looks like.

// Linked before every JPEG encoder: see the `lib.rs` of the crate `pdf`.
extern crate pdf as _;

mod archive;
mod binary_worksheet;
mod compound;
mod damage;
mod image;
mod links;
mod mail;
mod mismatch;
mod package;
mod pdf;
mod rich_text;
mod text;
mod workbook;
mod worksheet;
mod xml;

use std::path::Path;

use domain::format::{Category, Format};
use domain::job::JobErrorCode;
use task::magic::Container;
use task::{Catalog, DroppedContent, Inspection, Task, TaskError, TaskResult, Warning};

pub use self::text::{append_utf8, write_utf8};

/// Checks a PDF.
///
/// # Errors
/// [`TaskError::Document`] with the code of the problem, prefixed with the name of an attachment; likewise below.
pub fn pdf(task: &Task) -> TaskResult<Inspection> {
    all(task, pdf::check)
}

/// Checks an image.
///
/// # Errors
/// As [`pdf`].
pub fn image(task: &Task) -> TaskResult<Inspection> {
    all(task, image::check)
}

/// Checks a source with pages, PDF or image, and the attachments of the operation.
///
/// # Errors
/// As [`pdf`].
pub fn pages(task: &Task) -> TaskResult<Inspection> {
    all(task, |task, found| match task.from.spec().category {
        Category::Pdf => pdf::check(task, found),
        _ => image::check(task, found),
    })
}

/// Checks an office document, a web page, a book, a mail, or a text.
///
/// # Errors
/// As [`pdf`].
pub fn document(task: &Task) -> TaskResult<Inspection> {
    all(task, |task, found| match task.from {
        Format::Eml => mail::check(task, found),
        format if format.is_plain_text() => text::check(task, found),
        _ => office(task, found),
    })
}

/// Returns the number of sheets or slides of an office document that is a package, 1 for a text document; `None` if it is not
/// valid as a source of this format.
pub fn count_parts(path: &Path, format: Format) -> Option<u32> {
    let counted = package::count_parts(path).ok();
    counted.and_then(|(found, parts)| (found == format).then_some(parts))
}

/// Checks the source of a task and its attachments by `check`, which gets the detected file type.
fn all(
    task: &Task,
    check: fn(&Task, Container) -> TaskResult<Inspection>,
) -> TaskResult<Inspection> {
    let mut inspection = one(task, check)?;
    for (index, attached) in task.attachment_tasks().enumerate() {
        std::fs::create_dir(&attached.directory)?;
        let found = one(&attached, check)
            .map_err(|error| error.with_document_name(&task.attachment_label(index)))?;
        inspection.attachment_pages.push(found.pages.unwrap_or(0));
        inspection.attachments_have_catalog_entries |= found.catalog != Catalog::default();
        inspection.warnings.extend(found.warnings);
    }
    Ok(inspection)
}

fn one(
    task: &Task,
    check: fn(&Task, Container) -> TaskResult<Inspection>,
) -> TaskResult<Inspection> {
    let size = std::fs::metadata(&task.source)?.len();
    if size == 0 {
        return Err(empty());
    }
    if size > task.limits.file_bytes {
        return Err(TaskError::too_large(
            "The document is larger than the plan allows.",
        ));
    }
    let found = task::magic::container(&task.source)?;
    check(task, found).or_else(|error| Err(mismatch::explained(error, task, found)?))
}

/// The document has no content.
fn empty() -> TaskError {
    TaskError::document(JobErrorCode::InputEmpty, "The document is empty.")
}

fn office(task: &Task, found: Container) -> TaskResult<Inspection> {
    let claimed = task.from;
    let nothing = Inspection::default;
    // The content of an encrypted document cannot be checked. Only the sandbox of the engine protects against it.
    let has_password = task.password().is_some();
    let (format, inspection) = match found {
        Container::Zip => package::check(&task.source, claimed, has_password)?,
        Container::Compound => (
            compound::check(&task.source, claimed, has_password)?,
            nothing(),
        ),
        Container::Rtf => (Format::Rtf, rich_text(task)?),
        Container::Pdf | Container::Image(_) => return Err(TaskError::content_mismatch()),
        Container::Unknown => return Err(TaskError::input_corrupt()),
    };
    match format == claimed {
        true => Ok(inspection),
        false => Err(TaskError::content_mismatch()),
    }
}

fn rich_text(task: &Task) -> TaskResult<Inspection> {
    let (blanked_ranges, is_truncated) = rich_text::external_fields(&task.source)?;
    let blocked = (!blanked_ranges.is_empty()).then_some(Warning::ExternalResourcesBlocked);
    let damaged = is_truncated.then_some(Warning::Dropped(DroppedContent::Damage, 1));
    Ok(Inspection {
        blanked_ranges,
        warnings: blocked.into_iter().chain(damaged).collect(),
        ..Inspection::default()
    })
}
