//! Checks a PDF: opens without a password, has pages, and not more than the plan allows.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use domain::job::JobErrorCode;
use lopdf::Document;

use super::magic::Container;
use crate::fault::{Fault, Outcome};
use crate::pdfium;
use crate::task::{Inspection, Task};

/// Largest file that is read into memory to be decrypted, in bytes.
const UNLOCKABLE: u64 = 64 * 1024 * 1024;

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
    let document = match pdfium::open(&library, task) {
        Err(fault) if fault.is_password_required() && unlock(task)? => {
            pdfium::open(&library, task)?
        }
        opened => opened?,
    };
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

/// Opens what opens without a password and pdfium asks one for all the same, as it does where the empty password is the
/// owner's: lopdf decrypts a copy. Whether it did.
fn unlock(task: &Task) -> Outcome<bool> {
    if std::fs::metadata(&task.source)?.len() > UNLOCKABLE {
        return Ok(false);
    }
    match Document::load(&task.source) {
        Ok(mut document) if document.was_encrypted() => {
            document.save(task.unlocked())?;
            Ok(true)
        }
        _ => Ok(false),
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
