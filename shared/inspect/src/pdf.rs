//! Checks a PDF: it opens, its permissions allow the operation, its page count is within the limit, and PDFium finds all of
//! its pages, if necessary in a repaired copy.

mod permission;

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use domain::format::Format;
use domain::operation::{Operation, Password};
use pdf::pdfium;
use pdf::qpdf::{self, Access, FileStructure, Integrity, QpdfJob};
use pdfium_render::prelude::Pdfium;
use task::magic::Container;
use task::password::saslprep;
use task::{Catalog, Inspection, Task, TaskError, TaskResult, Warning};

use super::{damage, empty};

/// Checks a source that is declared as PDF, and writes a repaired copy if parsers may interpret it differently.
pub(super) fn check(task: &Task, found: Container) -> TaskResult<Inspection> {
    match found {
        Container::Pdf => {}
        // Readers repair a damaged header if the rest looks like PDF.
        Container::Unknown if has_objects(&task.source)? => {}
        Container::Unknown => return Err(TaskError::input_corrupt()),
        _ => return Err(TaskError::content_mismatch()),
    }
    let library = pdfium::load(task)?;
    unlock(task)?;
    let access = qpdf::access(&task.readable(), "")?;
    permission::check(task, &access, "")?;
    if access
        .shape()
        .is_some_and(|shape| !shape.has_valid_page_count)
    {
        return Err(TaskError::input_corrupt());
    }
    let page_count_by_pdfium = page_count_by_pdfium(&library, task, &access)?;
    if is_empty(&access, page_count_by_pdfium) {
        return Err(empty());
    }
    if let Some(page_count_by_pdfium) = page_count_by_pdfium {
        check_page_limit(task, page_count_by_pdfium)?;
    }
    let sound = damage::is_consistent(&access, page_count_by_pdfium);
    let mut warnings = Vec::new();
    if !sound {
        warnings.extend(damage::repair(
            &library,
            task,
            (&access, page_count_by_pdfium),
        )?);
    }
    warnings.extend(permissions_warning(task, &access));
    warnings.extend(signature_warning(task, &access));
    let pages = match page_count_by_pdfium.filter(|_| sound) {
        Some(page_count_by_pdfium) => page_count_by_pdfium,
        None => pdfium::pages(&pdfium::open(&library, task)?),
    };
    check_page_limit(task, pages)?;
    match pages {
        0 => Err(TaskError::input_corrupt()),
        pages => Ok(inspection(pages, warnings, &access)),
    }
}

fn inspection(pages: u32, warnings: Vec<Warning>, access: &Access) -> Inspection {
    Inspection {
        pages: Some(pages),
        warnings,
        uses_user_unit: access.shape().is_none_or(|shape| shape.uses_user_unit),
        catalog: catalog(access),
        ..Inspection::default()
    }
}

/// The entries of the catalog; unknown if the document was repaired.
fn catalog(access: &Access) -> Catalog {
    match access.shape() {
        Some(shape) if shape.integrity == Integrity::Intact => shape.catalog,
        _ => Catalog::UNKNOWN,
    }
}

/// Whether the document is intact and has no pages.
fn is_empty(access: &Access, page_count_by_pdfium: Option<u32>) -> bool {
    let bare = |shape: FileStructure| shape.pages == 0 && shape.integrity == Integrity::Intact;
    page_count_by_pdfium.is_none_or(|page_count_by_pdfium| page_count_by_pdfium == 0)
        && access.shape().is_some_and(bare)
}

fn check_page_limit(task: &Task, pages: u32) -> TaskResult<()> {
    match pages > task.limits.pages {
        true => Err(TaskError::too_many_pages()),
        false => Ok(()),
    }
}

/// Opens an encrypted document and writes an unencrypted copy, if a password is given or the operation is `decrypt`.
fn unlock(task: &Task) -> TaskResult<()> {
    let password = task.password().map(Password::reveal);
    let is_decrypt = matches!(task.operation, Operation::Decrypt(_));
    if password.is_none() && !is_decrypt {
        return Ok(());
    }
    let given = password.unwrap_or("");
    let (access, given) = match qpdf::access(&task.source, given)? {
        Access::Locked => {
            let prepared = saslprep(given);
            (qpdf::access(&task.source, &prepared)?, prepared)
        }
        access => (access, given.to_owned()),
    };
    match (access, password) {
        (Access::Locked, None) => Err(TaskError::password_required()),
        (Access::Locked, Some(_)) => Err(TaskError::password_incorrect()),
        (access @ Access::Unlocked { .. }, _) => {
            permission::check(task, &access, &given)?;
            let option = format!("--password={given}");
            let job = QpdfJob::read(&task.source).option(option).unencrypted();
            job.write(&task.repaired())
        }
        // The error of an unreadable document comes from PDFium.
        (Access::Open(_) | Access::Unreadable, _) => Ok(()),
    }
}

/// Returns a warning if the document opens without a password and has permissions that its rewritten copy loses.
fn permissions_warning(task: &Task, access: &Access) -> Option<Warning> {
    let keeps = task.to != Format::Pdf || matches!(task.operation, Operation::Encrypt(_));
    let is_restricted = matches!(access, Access::Unlocked { .. });
    (is_restricted && !keeps).then_some(Warning::ProtectionRemoved)
}

/// Returns a warning if the document is signed, because changes invalidate the signature.
fn signature_warning(task: &Task, access: &Access) -> Option<Warning> {
    let is_signed = access.shape().is_some_and(|shape| shape.is_signed);
    (is_signed && task.to == Format::Pdf).then_some(Warning::SignatureInvalidated)
}

/// Returns the number of pages that PDFium finds, if it opens the document.
fn page_count_by_pdfium(library: &Pdfium, task: &Task, access: &Access) -> TaskResult<Option<u32>> {
    match pdfium::open(library, task) {
        // PDFium may require a password even if the empty one is the owner password. It then opens an unencrypted copy.
        Err(error) if error.is_password_required() => match access {
            Access::Unlocked { .. } => {
                QpdfJob::read(&task.source)
                    .unencrypted()
                    .write(&task.repaired())?;
                Ok(Some(pdfium::pages(&pdfium::open(library, task)?)))
            }
            _ => Err(error),
        },
        Err(TaskError::Document(_)) => Ok(None),
        opened => Ok(Some(pdfium::pages(&opened?))),
    }
}

/// Whether the file begins with objects of a PDF, possibly after a damaged header.
pub(super) fn has_objects(path: &Path) -> std::io::Result<bool> {
    let mut head = Vec::new();
    File::open(path)?.take(64 * 1024).read_to_end(&mut head)?;
    Ok(head.windows(6).any(|window| window == b"endobj"))
}
