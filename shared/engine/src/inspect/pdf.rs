//! Checks a PDF: opens without a password, has pages, shows all of them, and not more than the plan allows.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::operation::{Operation, Password};
use lopdf::Document;
use pdfium_render::prelude::{PdfDocument, Pdfium};

use super::magic::Container;
use super::page_tree;
use crate::fault::{Fault, Outcome};
use crate::pdfium;
use crate::qpdf::{self, Access, Job, Written};
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
    decrypt(task)?;
    let mut remarks = Vec::from_iter(repair(&library, task)?);
    remarks.extend(restricted(task)?);
    let shown = shown(&library, task)?;
    check_pages(task, shown)?;
    let Some(held) = held(task, shown)? else {
        return Ok(inspection(shown, remarks));
    };
    check_pages(task, held)?;
    page_tree::mend(&task.readable(), &task.mended())?;
    match pages(&pdfium::open(&library, task)?) {
        mended if mended == held => {
            remarks.push(Remark::PageCountMended);
            Ok(inspection(held, remarks))
        }
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

/// Where the operation is to decrypt: opens the document with the password that it brings, as a copy without any.
fn decrypt(task: &Task) -> Outcome<()> {
    let Operation::Decrypt(options) = &task.operation else {
        return Ok(());
    };
    let password = options.password.as_ref().map(Password::reveal);
    match (
        qpdf::access(&task.source, password.unwrap_or(""))?,
        password,
    ) {
        (Access::Locked, None) => Err(Fault::password_required()),
        (Access::Locked, Some(_)) => Err(Fault::password_incorrect()),
        (Access::Unlocked { .. }, password) => {
            let option = format!("--password={}", password.unwrap_or(""));
            let job = Job::read(&task.source).option(option).open();
            job.write(&task.mended()).map(|_| ())
        }
        // What cannot be read pdfium names.
        (Access::Open { .. } | Access::Unreadable, _) => Ok(()),
    }
}

/// Where the operation is to repair: leaves a copy that libqpdf has mended, or else pages that pdfium has taken over, and
/// tells whether there was something to mend.
fn repair(library: &Pdfium, task: &Task) -> Outcome<Option<Remark>> {
    let is_locked = || Ok::<_, Fault>(qpdf::access(&task.source, "")? == Access::Locked);
    if !matches!(task.operation, Operation::Repair(_)) || is_locked()? {
        return Ok(None);
    }
    let mended = task.mended();
    // Naming all pages makes it build their tree anew.
    let job = Job::read(&task.source).options(&["--pages", ".", "1-z", "--"]);
    match job.open().write(&mended) {
        Ok(written) if loads(library, task) => {
            return Ok((written == Written::Mended).then_some(Remark::DamageRepaired));
        }
        Ok(_) | Err(Fault::Document(_)) => {}
        Err(other) => return Err(other),
    }
    std::fs::remove_file(&mended).ok();
    let source = pdfium::open(library, task)?;
    let corrupt = |_| Fault::corrupt();
    let mut pages = library.create_new_pdf().map_err(corrupt)?;
    pages.pages_mut().append(&source).map_err(corrupt)?;
    pages.save_to_file(&mended).map_err(corrupt)?;
    match loads(library, task) {
        true => Ok(Some(Remark::DamageRepaired)),
        false => Err(Fault::corrupt()),
    }
}

/// Whether a document opens and has pages that can be loaded, as far as a few of them tell.
fn loads(library: &Pdfium, task: &Task) -> bool {
    const LOOKED_AT: usize = 20;
    let Ok(document) = pdfium::open(library, task) else {
        return false;
    };
    let pages = document.pages();
    let every = usize::try_from(pages.len())
        .unwrap_or(0)
        .div_ceil(LOOKED_AT);
    let mut looked_at = pages.as_range().step_by(every.max(1));
    !pages.is_empty() && looked_at.all(|index| pages.get(index).is_ok())
}

/// Whether the document, which anybody can open, forbids something that its rewritten copy no longer does.
fn restricted(task: &Task) -> Outcome<Option<Remark>> {
    let sets_protection = matches!(
        task.operation,
        Operation::Encrypt(_) | Operation::Decrypt(_)
    );
    if task.to != Format::Pdf || sets_protection {
        return Ok(None);
    }
    let access = qpdf::access(&task.source, "")?;
    Ok(matches!(access, Access::Unlocked { .. }).then_some(Remark::ProtectionRemoved))
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
