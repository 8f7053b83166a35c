//! Checks a PDF: opens, allows what is to be done with it, has pages, shows all of them, and not more than the plan allows.

mod permission;

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use domain::format::Format;
use domain::operation::{Operation, Password};
use pdf::pdfium;
use pdf::qpdf::{self, Access, Job, Shape, Wholeness};
use pdfium_render::prelude::Pdfium;
use task::magic::Container;
use task::password::prepared;
use task::{Catalog, Fault, Inspection, Outcome, Remark, Task};

use super::{damage, empty};

/// Checks a source that claims to be PDF, and leaves a mended copy of one that readers may differ about.
pub(super) fn check(task: &Task, found: Container) -> Outcome<Inspection> {
    match found {
        Container::Pdf => {}
        // A damaged header is repaired by readers, as long as the rest looks like PDF.
        Container::Unknown if has_objects(&task.source)? => {}
        Container::Unknown => return Err(Fault::corrupt()),
        _ => return Err(Fault::mismatch()),
    }
    let library = pdfium::load(task)?;
    unlock(task)?;
    let access = qpdf::access(&task.readable(), "")?;
    permission::check(task, &access, "")?;
    if access.shape().is_some_and(|shape| !shape.counts) {
        return Err(Fault::corrupt());
    }
    let shown = shown(&library, task, &access)?;
    if is_empty(&access, shown) {
        return Err(empty());
    }
    if let Some(shown) = shown {
        check_most(task, shown)?;
    }
    let sound = damage::is_sound(&access, shown);
    let mut remarks = Vec::new();
    if !sound {
        remarks.extend(damage::mend(&library, task, (&access, shown))?);
    }
    remarks.extend(restricted(task, &access));
    remarks.extend(signed(task, &access));
    let pages = match shown.filter(|_| sound) {
        Some(shown) => shown,
        None => pdfium::pages(&pdfium::open(&library, task)?),
    };
    check_most(task, pages)?;
    match pages {
        0 => Err(Fault::corrupt()),
        pages => Ok(inspection(pages, remarks, &access)),
    }
}

fn inspection(pages: u32, remarks: Vec<Remark>, access: &Access) -> Inspection {
    Inspection {
        pages: Some(pages),
        remarks,
        scaled: access.shape().is_none_or(|shape| shape.scaled),
        catalog: catalog(access),
        ..Inspection::default()
    }
}

/// What the catalog has; of one that is mended nobody knows.
fn catalog(access: &Access) -> Catalog {
    match access.shape() {
        Some(shape) if shape.wholeness == Wholeness::Sound => shape.catalog,
        _ => Catalog::UNKNOWN,
    }
}

/// Whether it is whole and has no page.
fn is_empty(access: &Access, shown: Option<u32>) -> bool {
    let bare = |shape: Shape| shape.pages == 0 && shape.wholeness == Wholeness::Sound;
    shown.is_none_or(|shown| shown == 0) && access.shape().is_some_and(bare)
}

fn check_most(task: &Task, pages: u32) -> Outcome<()> {
    match pages > task.limits.pages {
        true => Err(Fault::too_many_pages()),
        false => Ok(()),
    }
}

/// Where the operation brings a password or is to decrypt: opens the document with that, as a copy without any.
fn unlock(task: &Task) -> Outcome<()> {
    let password = task.password().map(Password::reveal);
    let frees = matches!(task.operation, Operation::Decrypt(_));
    if password.is_none() && !frees {
        return Ok(());
    }
    let given = password.unwrap_or("");
    let (access, given) = match qpdf::access(&task.source, given)? {
        Access::Locked => {
            let prepared = prepared(given);
            (qpdf::access(&task.source, &prepared)?, prepared)
        }
        access => (access, given.to_owned()),
    };
    match (access, password) {
        (Access::Locked, None) => Err(Fault::password_required()),
        (Access::Locked, Some(_)) => Err(Fault::password_incorrect()),
        (access @ Access::Unlocked { .. }, _) => {
            permission::check(task, &access, &given)?;
            let option = format!("--password={given}");
            let job = Job::read(&task.source).option(option).open();
            job.write(&task.mended())
        }
        // What cannot be read pdfium names.
        (Access::Open(_) | Access::Unreadable, _) => Ok(()),
    }
}

/// Whether the document, which anybody can open, forbids something that its rewritten copy no longer does.
fn restricted(task: &Task, access: &Access) -> Option<Remark> {
    let keeps = task.to != Format::Pdf || matches!(task.operation, Operation::Encrypt(_));
    let is_restricted = matches!(access, Access::Unlocked { .. });
    (is_restricted && !keeps).then_some(Remark::ProtectionRemoved)
}

/// Whether the document is signed, which a changed copy of it is not.
fn signed(task: &Task, access: &Access) -> Option<Remark> {
    let is_signed = access.shape().is_some_and(|shape| shape.signed);
    (is_signed && task.to == Format::Pdf).then_some(Remark::SignatureInvalidated)
}

/// How many pages pdfium shows of what it opens.
fn shown(library: &Pdfium, task: &Task, access: &Access) -> Outcome<Option<u32>> {
    match pdfium::open(library, task) {
        // It asks for a password also where the empty one is the owner's, and then opens a copy without any.
        Err(fault) if fault.is_password_required() => match access {
            Access::Unlocked { .. } => {
                Job::read(&task.source).open().write(&task.mended())?;
                Ok(Some(pdfium::pages(&pdfium::open(library, task)?)))
            }
            _ => Err(fault),
        },
        Err(Fault::Document(_)) => Ok(None),
        opened => Ok(Some(pdfium::pages(&opened?))),
    }
}

fn has_objects(path: &Path) -> std::io::Result<bool> {
    let mut head = Vec::new();
    File::open(path)?.take(64 * 1024).read_to_end(&mut head)?;
    Ok(head.windows(6).any(|window| window == b"endobj"))
}
