//! Checks a PDF: opens without a password, has pages, shows all of them, and not more than the plan allows.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use domain::job::JobErrorCode;
use lopdf::Document;
use pdfium_render::prelude::{PdfDocument, Pdfium};

use super::magic::Container;
use super::page_tree;
use crate::fault::{Fault, Outcome};
use crate::pdfium;
use crate::remark::Remark;
use crate::task::{Inspection, Task};

/// Largest file that is read into memory as a whole, in bytes.
const IN_MEMORY: u64 = 64 * 1024 * 1024;

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
    let shown = shown(&library, task)?;
    check_pages(task, shown)?;
    let Some(held) = held(task, shown)? else {
        return Ok(inspection(shown, Vec::new()));
    };
    check_pages(task, held)?;
    page_tree::mend(&task.readable(), &task.mended())?;
    match pages(&pdfium::open(&library, task)?) {
        mended if mended == held => Ok(inspection(held, vec![Remark::PageCountMended])),
        _ => Err(Fault::corrupt()),
    }
}

fn inspection(pages: u32, remarks: Vec<Remark>) -> Inspection {
    Inspection {
        pages: Some(pages),
        remarks,
        ..Inspection::default()
    }
}

fn check_pages(task: &Task, pages: u32) -> Outcome<()> {
    match pages {
        0 => Err(Fault::corrupt()),
        pages if pages > task.limits.pages => Err(too_many_pages()),
        _ => Ok(()),
    }
}

/// How many pages pdfium shows.
fn shown(library: &Pdfium, task: &Task) -> Outcome<u32> {
    let document = match pdfium::open(library, task) {
        Err(fault) if fault.is_password_required() && unlock(task)? => pdfium::open(library, task)?,
        opened => opened?,
    };
    Ok(pages(&document))
}

fn pages(document: &PdfDocument<'_>) -> u32 {
    u32::try_from(document.pages().len()).unwrap_or(0)
}

/// How many pages the document holds, if they are more than pdfium shows.
fn held(task: &Task, shown: u32) -> Outcome<Option<u32>> {
    if !is_small(task)? {
        return Ok(None);
    }
    let held = page_tree::held(&task.readable())?;
    Ok(held.filter(|held| *held > shown))
}

/// Opens what opens without a password and pdfium asks one for all the same, as it does where the empty password is the
/// owner's: lopdf decrypts a copy. Whether it did.
fn unlock(task: &Task) -> Outcome<bool> {
    if !is_small(task)? {
        return Ok(false);
    }
    match Document::load(&task.source) {
        Ok(mut document) if document.was_encrypted() => {
            document.save(task.mended())?;
            Ok(true)
        }
        _ => Ok(false),
    }
}

/// Whether the document may be read into memory.
fn is_small(task: &Task) -> std::io::Result<bool> {
    Ok(std::fs::metadata(&task.source)?.len() <= IN_MEMORY)
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
