//! Operation `extract-pages` on TIFF; pixels do not change.

use domain::format::Format;
use domain::operation::Operation;
use task::page_selection::output_files;
use task::{Inspection, Product, Task, TaskError, TaskResult};

use super::{Module, Run, reencode};

/// The module's table entry.
pub(crate) const MODULE: Module = Module {
    implements: |operation, from| {
        matches!(operation, Operation::ExtractPages(_)) && from == Format::Tiff
    },
    inspect: inspect::image,
    run: Run::Child(run),
    verify: verify::image_to_image,
    fingerprint: |_, to| reencode::fingerprint(to),
};

fn run(task: &Task, inspection: &Inspection) -> TaskResult<Product> {
    let files = output_files(&task.operation, &[inspection.pages.unwrap_or(0)])?;
    // A page may be named more than once.
    match files.iter().map(Vec::len).sum::<usize>() > task.limits.pages as usize {
        true => Err(TaskError::too_many_pages()),
        false => reencode::run(task, inspection),
    }
}
