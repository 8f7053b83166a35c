//! Mends a PDF that readers may differ about, before any engine works on it: what one of them shows as an empty page another
//! recovers, and what is written behind a damaged end nobody finds.

use std::path::{Path, PathBuf};

use domain::operation::Operation;
use pdf::pdfium;
use pdf::qpdf::{self, Access, Job, Shape, Wholeness};
use pdfium_render::prelude::{PdfDocument, Pdfium};
use task::{Fault, Outcome, Remark, Task};

/// Whether readers agree about a document, of which pdfium shows so many pages.
pub(super) fn is_sound(access: &Access, shown: Option<u32>) -> bool {
    let sound = |shape: Shape| shape.wholeness == Wholeness::Sound && Some(shape.pages) == shown;
    access.shape().is_some_and(sound)
}

/// Leaves a copy that reads well of a document that is not sound, of which pdfium shows so many pages if it opens it, and tells
/// what was wrong where something may be missing.
///
/// # Errors
/// [`Fault::Document`] if nothing can be read of it.
pub(super) fn mend(
    library: &Pdfium,
    task: &Task,
    (access, shown): (&Access, Option<u32>),
) -> Outcome<Option<Remark>> {
    let agree = |shape: &Shape| Some(shape.pages) == shown;
    match access.shape() {
        Some(shape) if shape.wholeness != Wholeness::Damaged && shape.pages > 0 => {
            rewrite(library, task, shape.sized)?;
            let recounted = (!agree(&shape)).then_some(Remark::PageCountMended);
            Ok(recounted.or(asked(task)))
        }
        shape => {
            rewrite(library, task, shape.is_none_or(|shape| shape.sized))?;
            Ok(Some(Remark::DamageRepaired))
        }
    }
}

/// Who asks for it is told of every oddity.
fn asked(task: &Task) -> Option<Remark> {
    matches!(task.operation, Operation::Repair(_)).then_some(Remark::DamageRepaired)
}

/// Leaves what libqpdf can read, or else the pages that pdfium can take over. `sized` is [`Shape::sized`].
fn rewrite(library: &Pdfium, task: &Task, sized: bool) -> Outcome<()> {
    let copy = partial(task);
    let readable = task.readable();
    let taken = task.directory.join("taken");
    let ways: [&dyn Fn() -> Outcome<()>; 3] = [
        &|| rewritten(&readable, &copy),
        // It stumbles over a root that states another number of pages than it holds.
        &|| qpdf::recount(&readable, &taken).and_then(|()| rewritten(&taken, &copy)),
        &|| take_over(library, task, &taken).and_then(|()| rewritten(&taken, &copy)),
    ];
    for way in ways.iter().skip(usize::from(!sized)) {
        match way() {
            Ok(()) if loads(library, &copy) => return Ok(std::fs::rename(&copy, task.mended())?),
            Ok(()) | Err(Fault::Document(_)) => {}
            Err(other) => return Err(other),
        }
    }
    Err(Fault::corrupt())
}

/// Never in place: the source may be the copy of an earlier mending.
fn partial(task: &Task) -> PathBuf {
    task.mended().with_extension("partial")
}

/// Naming all pages makes libqpdf build their tree anew.
fn rewritten(source: &Path, target: &Path) -> Outcome<()> {
    let job = Job::read(source).options(&["--pages", ".", "1-z", "--"]);
    job.open().write(target)
}

fn take_over(library: &Pdfium, task: &Task, target: &Path) -> Outcome<()> {
    let corrupt = |_| Fault::corrupt();
    let source = pdfium::open(library, task)?;
    let mut taken = library.create_new_pdf().map_err(corrupt)?;
    taken.pages_mut().append(&source).map_err(corrupt)?;
    taken.save_to_file(target).map_err(corrupt)
}

/// Whether a document opens and has pages that can be loaded, as far as a few of them tell.
fn loads(library: &Pdfium, path: &Path) -> bool {
    const LOOKED_AT: u32 = 20;
    let Ok(document) = library.load_pdf_from_file(path, None) else {
        return false;
    };
    let count = pdfium::pages(&document);
    let mut looked_at = (0..count).step_by(count.div_ceil(LOOKED_AT).max(1) as usize);
    count > 0 && looked_at.all(|index| has_page(&document, index))
}

fn has_page(document: &PdfDocument<'_>, index: u32) -> bool {
    let index = i32::try_from(index).unwrap_or(i32::MAX);
    document.pages().get(index).is_ok()
}
