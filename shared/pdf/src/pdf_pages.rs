//! Pages of a PDF: extracted, deleted, put into another order, turned, or split into several files.

mod outline;

use std::fs::File;
use std::path::{Path, PathBuf};

use domain::operation::{Operation, SplitOptions};
use lopdf::Document;
use task::arrangement::{Placed, arrangement};
use task::progress::Teller;
use task::{Fault, Inspection, Outcome, Product, Task};

use super::merge::{Carry, Later};
use crate::archive::Archive;
use crate::qpdf::Job;
use crate::{patch, pdfium};

/// What a catalog says of the whole document.
const DESCRIPTIONS: [&[u8]; 5] = [b"Outlines", b"Dests", b"Names", b"OCProperties", b"Lang"];

/// Does the operation; the result lies at [`Task::output`].
///
/// # Errors
/// What is wrong with the document or the request, or with the installation.
pub fn run(task: &Task, inspection: &Inspection) -> Outcome<Product> {
    let files = arrangement(&task.operation, &[inspection.pages.unwrap_or(0)])?;
    let pages = files.iter().map(Vec::len).sum::<usize>();
    // Extracting may name a page more than once.
    if pages > task.limits.pages as usize {
        return Err(Fault::too_many_pages());
    }
    let entries = match (&task.operation, files.as_slice()) {
        (Operation::Rotate(_), [pages]) => turn(task, pages)?,
        (_, [pages]) => {
            placed(task, pages, &task.output(), is_outlined(task)?)?;
            Vec::new()
        }
        (Operation::Split(SplitOptions { ranges: None, .. }), _) => cut(task, &files)?,
        _ => pick(task, &files)?,
    };
    Ok(Product {
        pages: u32::try_from(pages).ok(),
        entries,
        ..Product::default()
    })
}

fn turn(task: &Task, pages: &[Placed]) -> Outcome<Vec<u64>> {
    let turned = pages.iter().filter(|page| page.turned != 0);
    let angle = turned.clone().map(|page| page.turned).next().unwrap_or(0);
    let turned: Vec<u32> = turned.map(|page| page.page).collect();
    let option = format!("--rotate=+{angle}:{}", ranges(&turned));
    let job = Job::read(&task.readable()).option(option).open();
    job.write(&task.output())?;
    Ok(Vec::new())
}

/// Writes one file with these pages of the source.
fn placed(task: &Task, pages: &[Placed], output: &Path, outlined: bool) -> Outcome<()> {
    let pages: Vec<u32> = pages.iter().map(|page| page.page).collect();
    match outlined {
        true => select(&task.readable(), &pages, task, output),
        false => selected(&task.readable(), &pages).write(output),
    }
}

fn selected(source: &Path, pages: &[u32]) -> Job {
    let job = Job::read(source).options(&["--pages", ".", &ranges(pages), "--"]);
    job.open()
}

/// Writes one file with these pages of a document, and without entries of the outline that would lead to others.
pub fn select(source: &Path, pages: &[u32], task: &Task, output: &Path) -> Outcome<()> {
    let job = selected(source, pages);
    let selected = task.directory.join("selected");
    job.option("--object-streams=disable").write(&selected)?;
    let patch = outline::pruned(&patch::skeleton(&selected)?);
    let job = patch.job(&selected, &task.directory.join("patch"))?;
    let job = job.option("--object-streams=generate").open();
    job.write(output)?;
    Ok(std::fs::remove_file(selected)?)
}

/// Whether the source has an outline.
fn is_outlined(task: &Task) -> Outcome<bool> {
    let library = pdfium::load(task)?;
    let document = pdfium::open(&library, task)?;
    let outlined = document.bookmarks().root().is_some();
    Ok(outlined)
}

/// Files that follow one another, all of the same number of pages: the source is read once. libqpdf begins each with an
/// empty document; what the source says of the whole, but for its tags, is carried over.
fn cut(task: &Task, files: &[Vec<Placed>]) -> Outcome<Vec<u64>> {
    let directory = task.directory.join("pieces");
    std::fs::create_dir(&directory)?;
    let every = files.first().map_or(1, Vec::len);
    let job = Job::read(&task.readable()).option(format!("--split-pages={every}"));
    // qpdf puts the numbers of the pages there, with as many digits as the last one has.
    job.open().write(&directory.join("piece-%d"))?;
    let entries = std::fs::read_dir(directory)?;
    let mut pieces: Vec<PathBuf> = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    pieces.sort_unstable();
    let plain = task.directory.join("plain");
    patch::plain(&task.readable(), &plain)?;
    let source = patch::skeleton(&plain)?;
    let mut whole = is_described(&source).then(|| Later::of(&source));
    let mut archive = Archive::begin(task)?;
    let mut teller = Teller::begin(&task.scratch);
    for (index, piece) in pieces.iter().enumerate() {
        if let Some(whole) = &mut whole {
            describe(task, piece, whole, index * every)?;
        }
        archive.add(File::open(piece)?)?;
        std::fs::remove_file(piece)?;
        teller.tell(index + 1, pieces.len());
    }
    archive.finish()
}

/// Whether a document says something of itself that its pages do not.
fn is_described(document: &Document) -> bool {
    let catalog = document.catalog();
    catalog.is_ok_and(|catalog| DESCRIPTIONS.iter().any(|key| catalog.has(key)))
}

/// Carries over into a piece what its source says of pages from `first` on.
fn describe(task: &Task, piece: &Path, whole: &mut Later<'_>, first: usize) -> Outcome<()> {
    let plain = task.directory.join("piece-plain");
    patch::plain(piece, &plain)?;
    let document = patch::skeleton(&plain)?;
    let pages: Vec<_> = document.get_pages().into_values().collect();
    whole.lie(first, &pages);
    let mut carry = Carry::into(&document, pages.len());
    carry.add_without_tags(whole);
    if let Some(language) = whole.language() {
        carry.speak(language);
    }
    let job = carry.finish().job(&plain, &task.directory.join("patch"))?;
    let job = job.option("--object-streams=generate").open();
    job.write(piece)
}

/// Files of any pages, one after the other.
fn pick(task: &Task, files: &[Vec<Placed>]) -> Outcome<Vec<u64>> {
    let piece = task.directory.join("piece");
    let outlined = is_outlined(task)?;
    let mut archive = Archive::begin(task)?;
    let mut teller = Teller::begin(&task.scratch);
    for (index, pages) in files.iter().enumerate() {
        placed(task, pages, &piece, outlined)?;
        archive.add(File::open(&piece)?)?;
        teller.tell(index + 1, files.len());
    }
    std::fs::remove_file(piece)?;
    archive.finish()
}

/// Pages as qpdf's ranges: `1-4,7`.
pub(super) fn ranges(pages: &[u32]) -> String {
    let mut text = String::new();
    let runs = pages.chunk_by(|page, next| page.checked_add(1) == Some(*next));
    for run in runs {
        let comma = if text.is_empty() { "" } else { "," };
        text += &match run {
            [first, .., last] => format!("{comma}{first}-{last}"),
            [only] => format!("{comma}{only}"),
            [] => String::new(),
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_one_range() {
        assert_eq!(ranges(&[1, 2, 3, 7, 6, 6, 9, 10]), "1-3,7,6,6,9-10");
        assert_eq!(ranges(&[5]), "5");
    }
}
