//! Checks results of the `metadata` operation.

use domain::operation::Operation;
use pdf::pdfium;
use pdfium_render::prelude::PdfDocumentMetadataTagType as Tag;
use task::options::metadata_texts;
use task::{Product, Task, TaskError, TaskResult, Verified};

use super::documents;

/// Checks that all pages look as before and that pdfium finds the requested metadata.
///
/// # Errors
/// [`TaskError::Document`] with `output_invalid` if the result fails a check.
pub fn metadata(task: &Task, product: &Product) -> TaskResult<Verified> {
    let verified = documents(task, product)?;
    let library = pdfium::load(task)?;
    let document = library.load_pdf_from_file(&task.output(), None);
    let document = document.map_err(|_| TaskError::output_invalid("it does not open"))?;
    let Operation::Metadata(options) = &task.operation else {
        return Err(TaskError::Installation(
            "operation is not metadata".to_owned(),
        ));
    };
    for (key, text) in metadata_texts(options) {
        let tag = match key {
            "Title" => Tag::Title,
            "Author" => Tag::Author,
            "Subject" => Tag::Subject,
            _ => Tag::Keywords,
        };
        let found = document.metadata().get(tag);
        let found = found.as_ref().map_or("", |found| found.value());
        if found != text {
            return Err(TaskError::output_invalid(
                "it does not have the requested metadata",
            ));
        }
    }
    Ok(verified)
}
