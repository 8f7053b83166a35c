//! Operation `repair`: writes the repaired copy that inspection made of a damaged PDF.

use domain::format::Format;
use domain::operation::Operation;
use pdf::qpdf::QpdfJob;
use task::{Inspection, Product, Task, TaskResult, engine_versions};

use super::{Module, Run};

/// The module's table entry.
pub(crate) const MODULE: Module = Module {
    implements: |operation, from| matches!(operation, Operation::Repair(_)) && from == Format::Pdf,
    inspect: inspect::pdf,
    run: Run::Child(run),
    verify: verify::documents,
    fingerprint: |installed, _| {
        let pdfium = installed.pdfium.as_ref();
        let pdfium = pdfium.map_or("", |pdfium| pdfium.fingerprint.as_str());
        format!("{} {pdfium}", engine_versions::QPDF)
    },
};

fn run(task: &Task, inspection: &Inspection) -> TaskResult<Product> {
    QpdfJob::read(&task.readable())
        .unencrypted()
        .write(&task.output())?;
    Ok(Product {
        pages: inspection.pages,
        ..Product::default()
    })
}
