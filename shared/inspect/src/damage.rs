//! Repairs a PDF that parsers may interpret differently, before any engine reads it. One parser would show an empty page
//! where another recovers content, or miss content after a damaged end of file.

use std::path::{Path, PathBuf};

use domain::operation::Operation;
use pdf::pdfium;
use pdf::qpdf::{self, Access, FileStructure, Integrity, QpdfJob};
use pdfium_render::prelude::{PdfDocument, Pdfium};
use task::{Task, TaskError, TaskResult, Warning};

/// Whether a document is intact, and PDFium finds the same number of pages (`pages_in_pdfium`) as libqpdf.
pub(super) fn is_consistent(access: &Access, pages_in_pdfium: Option<u32>) -> bool {
    let is_intact = |shape: FileStructure| {
        shape.integrity == Integrity::Intact && Some(shape.pages) == pages_in_pdfium
    };
    access.shape().is_some_and(is_intact)
}

/// Writes a repaired copy of a document that is not consistent. `pages_in_pdfium` is the number of pages that PDFium finds,
/// if it opens the document. Returns a warning if content may be missing.
///
/// # Errors
/// [`TaskError::Document`] if the document cannot be parsed.
pub(super) fn repair(
    library: &Pdfium,
    task: &Task,
    (access, pages_in_pdfium): (&Access, Option<u32>),
) -> TaskResult<Option<Warning>> {
    let agree = |shape: &FileStructure| Some(shape.pages) == pages_in_pdfium;
    match access.shape() {
        Some(shape) if shape.integrity != Integrity::Damaged && shape.pages > 0 => {
            rewrite(library, task, shape.has_size)?;
            let recounted = (!agree(&shape)).then_some(Warning::PageCountCorrected);
            Ok(recounted.or(requested_repair(task)))
        }
        shape => {
            rewrite(library, task, shape.is_none_or(|shape| shape.has_size))?;
            Ok(Some(Warning::DamageRepaired))
        }
    }
}

/// Returns the warning about damage that the operation `repair` always gives.
fn requested_repair(task: &Task) -> Option<Warning> {
    matches!(task.operation, Operation::Repair(_)).then_some(Warning::DamageRepaired)
}

/// Writes what libqpdf can read, or else what it reads with corrected page counts, or else the pages that PDFium can
/// import. The first attempt is skipped if `has_size` is false. `has_size` is [`FileStructure::has_size`].
fn rewrite(library: &Pdfium, task: &Task, has_size: bool) -> TaskResult<()> {
    let copy = temporary_copy(task);
    let readable = task.readable();
    let taken = task.directory.join("taken");
    let attempts: [&dyn Fn() -> TaskResult<()>; 3] = [
        &|| rewrite_all_pages(&readable, &copy),
        // PDFium may fail on a root whose `Count` is wrong.
        &|| {
            qpdf::rewrite_with_counts(&readable, &taken)
                .and_then(|()| rewrite_all_pages(&taken, &copy))
        },
        &|| import_pages(library, task, &taken).and_then(|()| rewrite_all_pages(&taken, &copy)),
    ];
    for attempt in attempts.iter().skip(usize::from(!has_size)) {
        match attempt() {
            Ok(()) if is_loadable(library, &copy) => {
                return Ok(std::fs::rename(&copy, task.repaired())?);
            }
            Ok(()) | Err(TaskError::Document(_)) => {}
            Err(other) => return Err(other),
        }
    }
    Err(TaskError::input_corrupt())
}

/// Returns the path of a temporary file, because the source may be the copy of an earlier repair.
fn temporary_copy(task: &Task) -> PathBuf {
    task.repaired().with_extension("partial")
}

/// Rewrites a document with all of its pages selected, which makes libqpdf rebuild the page tree.
fn rewrite_all_pages(source: &Path, target: &Path) -> TaskResult<()> {
    let job = QpdfJob::read(source).options(&["--pages", ".", "1-z", "--"]);
    job.unencrypted().write(target)
}

fn import_pages(library: &Pdfium, task: &Task, target: &Path) -> TaskResult<()> {
    let corrupt = |_| TaskError::input_corrupt();
    let source = pdfium::open(library, task)?;
    let mut taken = library.create_new_pdf().map_err(corrupt)?;
    taken.pages_mut().append(&source).map_err(corrupt)?;
    taken.save_to_file(target).map_err(corrupt)
}

/// Whether a document opens, has pages, and at most 20 of them, spread evenly, load.
fn is_loadable(library: &Pdfium, path: &Path) -> bool {
    const MAX_PAGES: u32 = 20;
    let Ok(document) = library.load_pdf_from_file(path, None) else {
        return false;
    };
    let count = pdfium::pages(&document);
    let mut sampled = (0..count).step_by(count.div_ceil(MAX_PAGES).max(1) as usize);
    count > 0 && sampled.all(|index| has_page(&document, index))
}

fn has_page(document: &PdfDocument<'_>, index: u32) -> bool {
    let index = i32::try_from(index).unwrap_or(i32::MAX);
    document.pages().get(index).is_ok()
}
