//! Several PDF to one: the document itself, and those that follow it, with the outlines, named places and forms of all.

mod carry;

use std::path::Path;

use domain::format::Format;
use domain::operation::Operation;

use self::carry::Carry;
use super::{Module, PDF_PAGE, Run, limits};
use crate::fault::{Fault, Outcome};
use crate::inspect::too_many_pages;
use crate::installed::linked;
use crate::patch::{self, Patch};
use crate::qpdf::Job;
use crate::task::{Inspection, Product, Task};
use crate::verify;

/// This module's row.
pub(crate) const MODULE: Module = Module {
    does: |operation, from| matches!(operation, Operation::Merge(_)) && from == Format::Pdf,
    limits: limits(90, 1024),
    a_page: PDF_PAGE,
    run: Run::Child(run),
    verify: verify::documents,
    fingerprint: |_, _| format!("{} {}", linked::QPDF, linked::LOPDF),
};

fn run(task: &Task, inspection: &Inspection) -> Outcome<Product> {
    let pages = inspection.pages.unwrap_or(0) + inspection.attached.iter().sum::<u32>();
    if pages > task.limits.pages {
        return Err(too_many_pages());
    }
    let merged = task.directory.join("merged");
    let mut job = Job::read(&task.readable()).options(&["--pages", ".", "1-z"]);
    for attached in task.attached() {
        if attached.from != Format::Pdf {
            return Err(Fault::mismatch());
        }
        job = job.value(attached.readable()).value("1-z");
    }
    job.options(&["--", "--object-streams=disable"])
        .open()
        .write(&merged)?;
    let patch = carried(task, inspection, &merged)?;
    let job = match patch.is_empty() {
        true => Job::read(&merged),
        false => patch.job(&merged, &task.directory.join("patch"))?,
    };
    job.option("--object-streams=generate")
        .open()
        .write(&task.output())?;
    Ok(Product {
        pages: Some(pages),
        ..Product::default()
    })
}

/// What libqpdf leaves behind of the later documents.
fn carried(task: &Task, inspection: &Inspection, merged: &Path) -> Outcome<Patch> {
    let merged = patch::skeleton(merged)?;
    let pages: Vec<_> = merged.get_pages().into_values().collect();
    let mut rest = pages.get(inspection.pages.unwrap_or(0) as usize..);
    let mut carry = Carry::into(&merged);
    for (attached, count) in task.attached().zip(&inspection.attached) {
        let plain = attached.directory.join("plain");
        patch::plain(&attached.readable(), &plain)?;
        let document = patch::skeleton(&plain)?;
        let split = rest.and_then(|rest| rest.split_at_checked(*count as usize));
        let (own, others) = split.ok_or_else(Fault::corrupt)?;
        carry.add(&document, own);
        std::fs::remove_file(plain)?;
        rest = Some(others);
    }
    Ok(carry.finish())
}
