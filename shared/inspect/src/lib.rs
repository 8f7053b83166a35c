//! Checks a source before an engine sees it: is it what it claims, is it whole, is it open, is it within limits?
//!
//! What a document is follows from its own bytes. Bytes of another known format are `content_mismatch`; bytes of no
//! known format under a claim that calls for a signature are `input_corrupt`, since nothing says that they were meant
//! to be something else.

// Linked before every JPEG encoder: see its lib.rs.
extern crate pdf as _;

mod archive;
mod binary_worksheet;
mod compound;
mod damage;
mod image;
mod links;
mod package;
mod parts;
mod pdf;
mod rich_text;
pub mod structured;
mod text;
mod workbook;
mod worksheet;
mod xml;

use domain::format::{Category, Format};
use domain::job::JobErrorCode;
use task::magic::Container;
use task::{Catalog, Fault, Inspection, LeftOut, Outcome, Remark, Task};

pub use self::parts::{count_parts, reads_as};
pub use self::text::{append_utf8, write_utf8};

/// Checks a PDF.
///
/// # Errors
/// [`Fault::Document`] with the code that says what is wrong with it, and of which document it is; likewise below.
pub fn pdf(task: &Task) -> Outcome<Inspection> {
    all(task, pdf::check)
}

/// Checks an image.
///
/// # Errors
/// As [`pdf`].
pub fn image(task: &Task) -> Outcome<Inspection> {
    all(task, image::check)
}

/// Checks what has pages, PDF or images, and what the operation needs beside it.
///
/// # Errors
/// As [`pdf`].
pub fn pages(task: &Task) -> Outcome<Inspection> {
    all(task, |task, found| match task.from.facts().category {
        Category::Pdf => pdf::check(task, found),
        _ => image::check(task, found),
    })
}

/// Checks a document of an office or of the web, or a text.
///
/// # Errors
/// As [`pdf`].
pub fn document(task: &Task) -> Outcome<Inspection> {
    all(task, |task, found| match task.from.is_plain_text() {
        true => text::check(task, found),
        false => office(task, found),
    })
}

/// Checks the source of a task by `check`, which gets what its first bytes say, and what its operation needs beside it.
fn all(task: &Task, check: fn(&Task, Container) -> Outcome<Inspection>) -> Outcome<Inspection> {
    let mut inspection = one(task, check)?;
    for (index, attached) in task.attached().enumerate() {
        std::fs::create_dir(&attached.directory)?;
        let found = one(&attached, check).map_err(|fault| fault.of(&task.beside(index)))?;
        inspection.attached.push(found.pages.unwrap_or(0));
        inspection.catalogs_attached |= found.catalog != Catalog::default();
        inspection.remarks.extend(found.remarks);
    }
    Ok(inspection)
}

fn one(task: &Task, check: fn(&Task, Container) -> Outcome<Inspection>) -> Outcome<Inspection> {
    let size = std::fs::metadata(&task.source)?.len();
    if size == 0 {
        return Err(empty());
    }
    if size > task.limits.file_bytes {
        return Err(Fault::too_large(
            "The document is larger than the plan allows.",
        ));
    }
    check(task, task::magic::container(&task.source)?)
}

/// The document holds nothing.
fn empty() -> Fault {
    Fault::document(JobErrorCode::InputEmpty, "The document is empty.")
}

fn office(task: &Task, found: Container) -> Outcome<Inspection> {
    let claimed = task.from;
    let nothing = Inspection::default;
    // What is inside an encrypted one is seen by the engine only, which has to make do with its sandbox.
    let opens = task.password().is_some();
    let (format, inspection) = match found {
        Container::Zip => package::check(&task.source, claimed, opens)?,
        Container::Compound => (compound::check(&task.source, claimed, opens)?, nothing()),
        Container::Rtf => (Format::Rtf, rich_text(task)?),
        Container::Pdf | Container::Image(_) => return Err(Fault::mismatch()),
        Container::Unknown => return Err(Fault::corrupt()),
    };
    match format == claimed {
        true => Ok(inspection),
        false => Err(Fault::mismatch()),
    }
}

fn rich_text(task: &Task) -> Outcome<Inspection> {
    let (blank, is_cut) = rich_text::fields_outside(&task.source)?;
    let blocked = (!blank.is_empty()).then_some(Remark::ExternalLinkBlocked);
    let damaged = is_cut.then_some(Remark::LeftOut(LeftOut::Damage, 1));
    Ok(Inspection {
        blank,
        remarks: blocked.into_iter().chain(damaged).collect(),
        ..Inspection::default()
    })
}
