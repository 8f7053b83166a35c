//! Page operations: extract, delete, reorder, rotate, and split.

mod outline;

use std::fs::File;
use std::path::{Path, PathBuf};

use domain::operation::{Operation, SplitOptions};
use lopdf::Document;
use task::page_selection::{SourcePage, output_files};
use task::progress::ProgressWriter;
use task::{Inspection, Product, Task, TaskError, TaskResult};

use super::merge::{AppendedDocument, CatalogMerge};
use crate::archive::Archive;
use crate::qpdf::QpdfJob;
use crate::{patch, pdfium};

/// Catalog entries that apply to the whole document.
const DOCUMENT_ENTRIES: [&[u8]; 5] = [b"Outlines", b"Dests", b"Names", b"OCProperties", b"Lang"];

/// Runs the operation and writes [`Task::output`].
///
/// # Errors
/// Errors of the document, the request, or the installation.
pub fn run(task: &Task, inspection: &Inspection) -> TaskResult<Product> {
    let files = output_files(&task.operation, &[inspection.pages.unwrap_or(0)])?;
    let pages = files.iter().map(Vec::len).sum::<usize>();
    // The operation `extract` may repeat pages.
    if pages > task.limits.pages as usize {
        return Err(TaskError::too_many_pages());
    }
    let entries = match (&task.operation, files.as_slice()) {
        (Operation::Rotate(_), [pages]) => rotate(task, pages)?,
        (_, [pages]) => {
            write_pages(task, pages, &task.output(), has_outline(task)?)?;
            Vec::new()
        }
        (Operation::Split(SplitOptions { ranges: None, .. }), _) => split_evenly(task, &files)?,
        _ => split_by_pages(task, &files)?,
    };
    Ok(Product {
        pages: u32::try_from(pages).ok(),
        entries,
        ..Product::default()
    })
}

fn rotate(task: &Task, pages: &[SourcePage]) -> TaskResult<Vec<u64>> {
    let turned = pages.iter().filter(|page| page.rotation != 0);
    let angle = turned.clone().map(|page| page.rotation).next().unwrap_or(0);
    let turned: Vec<u32> = turned.map(|page| page.page).collect();
    let option = format!("--rotate=+{angle}:{}", ranges(&turned));
    let job = QpdfJob::read(&task.readable()).option(option).unencrypted();
    job.write(&task.output())?;
    Ok(Vec::new())
}

/// Writes one file with these pages of the source.
fn write_pages(task: &Task, pages: &[SourcePage], output: &Path, outlined: bool) -> TaskResult<()> {
    let pages: Vec<u32> = pages.iter().map(|page| page.page).collect();
    match outlined {
        true => select(&task.readable(), &pages, task, output),
        false => select_job(&task.readable(), &pages).write(output),
    }
}

fn select_job(source: &Path, pages: &[u32]) -> QpdfJob {
    let job = QpdfJob::read(source).options(&["--pages", ".", &ranges(pages), "--"]);
    job.unencrypted()
}

/// Writes one file with these pages of a document. Outline entries for other pages are removed.
///
/// # Errors
/// [`TaskError::Document`] if the document cannot be parsed.
pub fn select(source: &Path, pages: &[u32], task: &Task, output: &Path) -> TaskResult<()> {
    let job = select_job(source, pages);
    let selected = task.directory.join("selected");
    job.option("--object-streams=disable").write(&selected)?;
    let patch = outline::pruned(&patch::skeleton(&selected)?);
    let job = patch.job(&selected, &task.directory.join("patch"))?;
    let job = job.option("--object-streams=generate").unencrypted();
    job.write(output)?;
    Ok(std::fs::remove_file(selected)?)
}

/// Whether the source has an outline.
fn has_outline(task: &Task) -> TaskResult<bool> {
    let library = pdfium::load(task)?;
    let document = pdfium::open(&library, task)?;
    let outlined = document.bookmarks().root().is_some();
    Ok(outlined)
}

/// Writes consecutive files with the same number of pages. The source is parsed once. libqpdf starts each file with an empty
/// document, so the catalog entries of the source are merged, except for structure tags.
fn split_evenly(task: &Task, files: &[Vec<SourcePage>]) -> TaskResult<Vec<u64>> {
    let directory = task.directory.join("parts");
    std::fs::create_dir(&directory)?;
    let every = files.first().map_or(1, Vec::len);
    let job = QpdfJob::read(&task.readable()).option(format!("--split-pages={every}"));
    // qpdf inserts zero-padded page numbers in place of `%d`.
    job.unencrypted().write(&directory.join("part-%d"))?;
    let entries = std::fs::read_dir(directory)?;
    let mut parts: Vec<PathBuf> = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    parts.sort_unstable();
    let plain = task.directory.join("plain");
    patch::write_normalized(&task.readable(), &plain)?;
    let source = patch::skeleton(&plain)?;
    let mut whole = has_document_entries(&source).then(|| AppendedDocument::of(&source));
    let mut archive = Archive::create(task)?;
    let mut progress = ProgressWriter::start(&task.scratch);
    for (index, part) in parts.iter().enumerate() {
        if let Some(whole) = &mut whole {
            merge_document_entries(task, part, whole, index * every)?;
        }
        archive.add(File::open(part)?)?;
        std::fs::remove_file(part)?;
        progress.report(index + 1, parts.len());
    }
    archive.finish()
}

/// Whether a document has any of [`DOCUMENT_ENTRIES`].
fn has_document_entries(document: &Document) -> bool {
    let catalog = document.catalog();
    catalog.is_ok_and(|catalog| DOCUMENT_ENTRIES.iter().any(|key| catalog.has(key)))
}

/// Merges the catalog entries of the source into a part, whose pages start at `first`.
fn merge_document_entries(
    task: &Task,
    part: &Path,
    whole: &mut AppendedDocument<'_>,
    first: usize,
) -> TaskResult<()> {
    let plain = task.directory.join("part-plain");
    patch::write_normalized(part, &plain)?;
    let document = patch::skeleton(&plain)?;
    let pages: Vec<_> = document.get_pages().into_values().collect();
    whole.map_pages(first, &pages);
    let mut merge = CatalogMerge::into(&document, pages.len());
    merge.add_without_tags(whole);
    if let Some(language) = whole.language() {
        merge.set_language(language);
    }
    let job = merge.finish().job(&plain, &task.directory.join("patch"))?;
    let job = job.option("--object-streams=generate").unencrypted();
    job.write(part)
}

/// Writes files of arbitrary pages, one after the other.
fn split_by_pages(task: &Task, files: &[Vec<SourcePage>]) -> TaskResult<Vec<u64>> {
    let part = task.directory.join("part");
    let outlined = has_outline(task)?;
    let mut archive = Archive::create(task)?;
    let mut progress = ProgressWriter::start(&task.scratch);
    for (index, pages) in files.iter().enumerate() {
        write_pages(task, pages, &part, outlined)?;
        archive.add(File::open(&part)?)?;
        progress.report(index + 1, files.len());
    }
    std::fs::remove_file(part)?;
    archive.finish()
}

/// Formats pages as a qpdf page range: `1-4,7`.
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
    fn consecutive_pages_become_a_range() {
        assert_eq!(ranges(&[1, 2, 3, 7, 6, 6, 9, 10]), "1-3,7,6,6,9-10");
        assert_eq!(ranges(&[5]), "5");
    }
}
