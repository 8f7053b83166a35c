//! Takes pages out of a TIFF; no pixel changes.

use domain::format::Format;
use domain::operation::Operation;
use task::arrangement::arrangement;
use task::{Fault, Inspection, Outcome, Product, Task};

use super::{Module, Run, redraw};

/// This module's row.
pub(crate) const MODULE: Module = Module {
    does: |operation, from| matches!(operation, Operation::ExtractPages(_)) && from == Format::Tiff,
    inspect: inspect::image,
    run: Run::Child(run),
    verify: verify::redrawn,
    fingerprint: |_, to| redraw::fingerprint(to),
};

fn run(task: &Task, inspection: &Inspection) -> Outcome<Product> {
    let files = arrangement(&task.operation, &[inspection.pages.unwrap_or(0)])?;
    // A page may be named more than once.
    match files.iter().map(Vec::len).sum::<usize>() > task.limits.pages as usize {
        true => Err(Fault::too_many_pages()),
        false => redraw::run(task, inspection),
    }
}
