//! Makes filled-in forms and comments part of the pages. Links stay what they are.

mod annotations;
pub(super) mod fields;
mod kept;

use domain::format::Format;
use domain::operation::Operation;
use pdf::{lettering, patch};
use task::{Inspection, Outcome, Product, Remark, Task, linked};

use super::{Module, Run};
use crate::verify;

/// This module's row.
pub(crate) const MODULE: Module = Module {
    does: |operation, from| matches!(operation, Operation::Flatten(_)) && from == Format::Pdf,
    run: Run::Child(run),
    verify: verify::documents,
    fingerprint: |_, _| {
        let lettering = lettering::fingerprint();
        format!("{} {} {lettering}", linked::QPDF, linked::LOPDF)
    },
};

fn run(task: &Task, inspection: &Inspection) -> Outcome<Product> {
    let (plain, flat) = (task.directory.join("plain"), task.directory.join("flat"));
    patch::plain(&task.readable(), &plain)?;
    let before = patch::skeleton(&plain)?;
    let mut drawn = fields::drawn(&before, &task.directory.join("fields"))?;
    kept::set_aside(&before, &mut drawn);
    let job = drawn.patch.job(&plain, &task.directory.join("drawn"))?;
    job.options(&["--generate-appearances", "--flatten-annotations=all"])
        .options(&["--object-streams=disable", "--deterministic-id"])
        .write(&flat)?;
    // qpdf keeps every annotation that has no appearance, and draws all others, even links.
    let patch = annotations::left(&before, &patch::skeleton(&flat)?)?;
    let job = patch.job(&flat, &task.directory.join("patch"))?;
    job.options(&["--object-streams=generate", "--deterministic-id"])
        .write(&task.output())?;
    let kept = u32::try_from(drawn.kept.len()).unwrap_or(u32::MAX);
    let remark = (kept > 0).then_some(Remark::FieldsKept(kept));
    Ok(Product {
        pages: inspection.pages,
        remarks: Vec::from_iter(remark),
        ..Product::default()
    })
}
