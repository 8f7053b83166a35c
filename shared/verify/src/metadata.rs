//! Checks a PDF whose metadata were set.

use domain::operation::Operation;
use pdf::pdfium;
use pdfium_render::prelude::PdfDocumentMetadataTagType as Tag;
use task::options::metadata_texts;
use task::{Fault, Outcome, Product, Task, Verified};

use super::documents;

/// All pages are there and look as before, and pdfium finds the texts that were to be set.
pub fn metadata(task: &Task, product: &Product) -> Outcome<Verified> {
    let verified = documents(task, product)?;
    let library = pdfium::load(task)?;
    let document = library.load_pdf_from_file(&task.output(), None);
    let document = document.map_err(|_| Fault::output_invalid("it does not open"))?;
    let Operation::Metadata(options) = &task.operation else {
        return Err(Fault::Installation("not metadata".to_owned()));
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
            return Err(Fault::output_invalid(
                "it has other metadata than asked for",
            ));
        }
    }
    Ok(verified)
}
