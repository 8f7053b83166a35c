//! Checks a PDF: opens without a password, has pages, and not more than the plan allows.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use domain::job::JobErrorCode;

use super::magic::Container;
use crate::fault::{Fault, Outcome};
use crate::pdfium;
use crate::task::{Inspection, Task};

/// Checks a source that claims to be PDF.
pub(super) fn check(task: &Task, found: Container) -> Outcome<Inspection> {
    match found {
        Container::Pdf => {}
        // A damaged header is repaired by readers, as long as the rest looks like PDF.
        Container::Unknown if has_objects(&task.source)? => {}
        Container::Unknown => return Err(Fault::corrupt()),
        _ => return Err(Fault::mismatch()),
    }
    let library = pdfium::load(task)?;
    let document = library
        .load_pdf_from_file(&task.source, None)
        .map_err(pdfium::fault)?;
    let pages = u32::try_from(document.pages().len()).unwrap_or(0);
    match pages {
        0 => Err(Fault::corrupt()),
        pages if pages > task.limits.pages => Err(too_many_pages()),
        pages => Ok(Inspection {
            pages: Some(pages),
            ..Inspection::default()
        }),
    }
}

/// The document has more pages than the plan allows.
pub(crate) fn too_many_pages() -> Fault {
    let message = "The document has more pages than the plan allows.";
    Fault::document(JobErrorCode::TooManyPages, message)
}

fn has_objects(path: &Path) -> std::io::Result<bool> {
    let mut head = Vec::new();
    File::open(path)?.take(64 * 1024).read_to_end(&mut head)?;
    Ok(head.windows(6).any(|window| window == b"endobj"))
}
