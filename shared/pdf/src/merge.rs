//! Several PDF and images to one PDF: the document itself, and those that follow it, with the outlines, named places,
//! forms, tags and layers of all. Images become pages as `image_to_pdf` makes them: JPEG data are embedded as they are.

mod aside;
mod carry;
mod changes;
mod fields;
mod later;
mod layers;
mod tags;

use domain::format::{Category, Format};
use lopdf::Document;
use task::{Fault, Inspection, Outcome, Product, Remark, Task};

use self::aside::set_aside;
pub(super) use self::carry::Carry;
pub(super) use self::later::Later;
use super::image_to_pdf;
use crate::patch::Patch;
use crate::qpdf::{Held, Job};

/// Does the operation; the result lies at [`Task::output`].
///
/// # Errors
/// What is wrong with the document or the request, or with the installation.
pub fn run(task: &Task, inspection: &Inspection) -> Outcome<Product> {
    let pages = inspection.pages.unwrap_or(0) + inspection.attached.iter().sum::<u32>();
    if pages > task.limits.pages {
        return Err(Fault::too_many_pages());
    }
    let mut remarks = as_pdf(task, inspection.pages)?;
    for (index, attached) in task.attached().enumerate() {
        let made = as_pdf(&attached, inspection.attached.get(index).copied());
        remarks.extend(made.map_err(|fault| fault.of(&task.beside(index)))?);
    }
    remarks.dedup();
    let mut job = Job::read(&task.readable()).options(&["--pages", ".", "1-z"]);
    for attached in task.attached() {
        job = job.value(attached.readable()).value("1-z");
    }
    let merged = job
        .options(&["--", "--object-streams=generate"])
        .open()
        .hold(&task.output())?;
    set_aside(task, &merged)?;
    if inspection.catalog.tags || inspection.catalogs_attached {
        let patch = carried(task, inspection, &merged.skeleton()?)?;
        patch.apply(merged.document(), &task.directory.join("patch"))?;
    }
    merged.write()?;
    Ok(Product {
        pages: Some(pages),
        remarks,
        ..Product::default()
    })
}

/// Leaves a PDF of an image where the mended copy of a document lies, for all who read it after; what is lost.
fn as_pdf(task: &Task, pages: Option<u32>) -> Outcome<Vec<Remark>> {
    match task.from.facts().category {
        Category::Image => {
            let product = image_to_pdf::write(task, pages.unwrap_or(1), &task.mended())?;
            Ok(product.remarks)
        }
        _ if task.from == Format::Pdf => Ok(Vec::new()),
        _ => Err(Fault::mismatch()),
    }
}

/// What libqpdf leaves behind of the later documents.
fn carried(task: &Task, inspection: &Inspection, merged: &Document) -> Outcome<Patch> {
    let pages: Vec<_> = merged.get_pages().into_values().collect();
    let first = inspection.pages.unwrap_or(0) as usize;
    let mut rest = pages.get(first..);
    let mut carry = Carry::into(merged, first);
    for (attached, count) in task.attached().zip(&inspection.attached) {
        let document = Held::open(&attached.readable())?.skeleton()?;
        let split = rest.and_then(|rest| rest.split_at_checked(*count as usize));
        let (own, others) = split.ok_or_else(Fault::corrupt)?;
        let mut later = Later::of(&document);
        later.lie(0, own);
        carry.add(&later);
        rest = Some(others);
    }
    Ok(carry.finish())
}
