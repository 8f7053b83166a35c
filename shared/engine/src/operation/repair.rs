//! Mends a damaged PDF. Inspection has done it already: it left a copy that reads well.

use domain::format::Format;
use domain::operation::Operation;
use pdf::qpdf::Job;
use task::{Inspection, Outcome, Product, Task, linked};

use super::{Module, Run};

/// This module's row.
pub(crate) const MODULE: Module = Module {
    does: |operation, from| matches!(operation, Operation::Repair(_)) && from == Format::Pdf,
    inspect: inspect::pdf,
    run: Run::Child(run),
    verify: verify::documents,
    fingerprint: |installed, _| {
        let pdfium = installed.pdfium.as_ref();
        let pdfium = pdfium.map_or("", |pdfium| pdfium.fingerprint.as_str());
        format!("{} {pdfium}", linked::QPDF)
    },
};

fn run(task: &Task, inspection: &Inspection) -> Outcome<Product> {
    Job::read(&task.readable()).open().write(&task.output())?;
    Ok(Product {
        pages: inspection.pages,
        ..Product::default()
    })
}
