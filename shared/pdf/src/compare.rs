//! Compares two versions of a PDF: their words in reading order, and the look of pages that correspond to each other.

mod page_pairs;
mod pixels;
mod side_by_side;
mod view;
mod word_changes;
mod words;

use std::fs::File;
use std::io::BufWriter;

use domain::format::Format;
use task::comparison::{Comparison, PagePair};
use task::progress::ProgressWriter;
use task::{Inspection, Product, Task, TaskError, TaskResult};

use self::view::View;
use self::word_changes::WordChanges;
use crate::pdfium;

/// Runs the operation and writes [`Task::output`].
///
/// # Errors
/// Errors of the documents, the request, or the installation.
pub fn run(task: &Task, inspection: &Inspection) -> TaskResult<Product> {
    let comparison = compare(task)?;
    let pages = u32::try_from(comparison.pages.len()).ok();
    match task.to {
        Format::Json => {
            let file = BufWriter::new(File::create(task.output())?);
            serde_json::to_writer(file, &comparison).map_err(std::io::Error::other)?;
        }
        _ => side_by_side::write(task, inspection, &comparison)?,
    }
    Ok(Product {
        pages,
        ..Product::default()
    })
}

fn compare(task: &Task) -> TaskResult<Comparison> {
    let missing = || TaskError::Installation("no document to compare with".to_owned());
    let earlier = task.attachment_tasks().next().ok_or_else(missing)?;
    let library = pdfium::load(task)?;
    let named = |error: TaskError| error.with_document_name(&task.attachment_label(0));
    let before = pdfium::open(&library, &earlier).map_err(named)?;
    let after = pdfium::open(&library, task)?;
    let counts = (pdfium::pages(&before), pdfium::pages(&after));
    let mut changes = WordChanges::of(&before, &after)?;
    let pairs = page_pairs::pairs(&changes.matched, counts);
    let (deleted, inserted) = (changes.deleted_words, changes.inserted_words);
    let mut progress = ProgressWriter::start(&task.scratch);
    let mut pages = Vec::new();
    for (index, (one, other)) in pairs.iter().copied().enumerate() {
        let page = |of, number: Option<u32>| number.map(|number| View::of(of, number)).transpose();
        let mut pair = match (page(&before, one)?, page(&after, other)?) {
            (Some(one), Some(other)) => pixels::differences(&one, &other)?,
            _ => PagePair {
                changed_pixels: 1.0,
                ..PagePair::default()
            },
        };
        (pair.before, pair.after) = (one, other);
        pair.deleted = one.map_or_else(Vec::new, |page| changes.take_deleted(page));
        pair.inserted = other.map_or_else(Vec::new, |page| changes.take_inserted(page));
        pages.push(pair);
        progress.report(index + 1, pairs.len());
    }
    let looks_same = pages.iter().all(|pair| pair.changed_pixels == 0.0);
    Ok(Comparison {
        identical: looks_same && deleted + inserted == 0,
        pages_before: counts.0,
        pages_after: counts.1,
        words_deleted: deleted,
        words_inserted: inserted,
        pages,
    })
}
