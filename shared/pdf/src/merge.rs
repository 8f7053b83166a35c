//! Merges PDFs and images into one PDF, with the outlines, named destinations, forms, structure tags and optional content of
//! all. Images become pages as in `image_to_pdf`, which embeds JPEG data unchanged.

mod appended;
mod catalog;
mod changes;
mod fields;
mod large_streams;
mod optional_content;
mod tags;

use domain::format::{Category, Format};
use lopdf::Document;
use task::{Inspection, Product, Task, TaskError, TaskResult, Warning};

pub(super) use self::appended::AppendedDocument;
pub(super) use self::catalog::CatalogMerge;
use self::large_streams::spool;
use super::image_to_pdf;
use crate::patch::Patch;
use crate::qpdf::{QpdfDocument, QpdfJob};

/// Runs the operation and writes [`Task::output`].
///
/// # Errors
/// Errors of the document, the request, or the installation.
pub fn run(task: &Task, inspection: &Inspection) -> TaskResult<Product> {
    let pages = inspection.pages.unwrap_or(0) + inspection.attachment_pages.iter().sum::<u32>();
    if pages > task.limits.pages {
        return Err(TaskError::too_many_pages());
    }
    let mut warnings = as_pdf(task, inspection.pages)?;
    for (index, attached) in task.attachment_tasks().enumerate() {
        let made = as_pdf(&attached, inspection.attachment_pages.get(index).copied());
        warnings
            .extend(made.map_err(|fault| fault.with_document_name(&task.attachment_label(index)))?);
    }
    warnings.dedup();
    let mut job = QpdfJob::read(&task.readable()).options(&["--pages", ".", "1-z"]);
    for attached in task.attachment_tasks() {
        job = job.value(attached.readable()).value("1-z");
    }
    let merged = job
        .options(&["--", "--object-streams=generate"])
        .unencrypted()
        .create(&task.output())?;
    spool(task, &merged)?;
    if inspection.catalog.tags || inspection.attachments_have_catalog_entries {
        let patch = merged_catalog(task, inspection, &merged.skeleton()?)?;
        patch.apply(merged.document(), &task.directory.join("patch"))?;
    }
    merged.write()?;
    Ok(Product {
        pages: Some(pages),
        warnings,
        ..Product::default()
    })
}

/// Converts an image to PDF at [`Task::repaired`], which later steps read in place of the source. Returns the warnings.
fn as_pdf(task: &Task, pages: Option<u32>) -> TaskResult<Vec<Warning>> {
    match task.from.spec().category {
        Category::Image => {
            let product = image_to_pdf::write(task, pages.unwrap_or(1), &task.repaired())?;
            Ok(product.warnings)
        }
        _ if task.from == Format::Pdf => Ok(Vec::new()),
        _ => Err(TaskError::content_mismatch()),
    }
}

/// Returns the changes that merge the catalog entries of the appended documents, which libqpdf drops.
fn merged_catalog(task: &Task, inspection: &Inspection, merged: &Document) -> TaskResult<Patch> {
    let pages: Vec<_> = merged.get_pages().into_values().collect();
    let first = inspection.pages.unwrap_or(0) as usize;
    let mut rest = pages.get(first..);
    let mut catalog = CatalogMerge::into(merged, first);
    for (attached, count) in task.attachment_tasks().zip(&inspection.attachment_pages) {
        let document = QpdfDocument::open(&attached.readable())?.skeleton()?;
        let split = rest.and_then(|rest| rest.split_at_checked(*count as usize));
        let (own, others) = split.ok_or_else(TaskError::input_corrupt)?;
        let mut appended = AppendedDocument::of(&document);
        appended.map_pages(0, own);
        catalog.add(&appended);
        rest = Some(others);
    }
    Ok(catalog.finish())
}
