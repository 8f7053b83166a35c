//! Flattens form fields and annotations into page content. Links are kept.

mod annotations;
pub mod fields;
mod unflattened;

use task::{Inspection, Product, Task, TaskResult, Warning};

use crate::patch;

/// Runs the operation and writes [`Task::output`].
///
/// # Errors
/// Errors of the document, the request, or the installation.
pub fn run(task: &Task, inspection: &Inspection) -> TaskResult<Product> {
    let (plain, flat) = (task.directory.join("plain"), task.directory.join("flat"));
    patch::write_normalized(&task.readable(), &plain)?;
    let before = patch::skeleton(&plain)?;
    let mut drawn = fields::appearances(&before, &task.directory.join("fields"))?;
    unflattened::hide_unflattened(&before, &mut drawn);
    let job = drawn.patch.job(&plain, &task.directory.join("drawn"))?;
    job.options(&["--generate-appearances", "--flatten-annotations=all"])
        .options(&["--object-streams=disable", "--deterministic-id"])
        .write(&flat)?;
    // qpdf keeps annotations without an appearance stream, and flattens all others, even links.
    let patch = annotations::restored(&before, &patch::skeleton(&flat)?)?;
    let job = patch.job(&flat, &task.directory.join("patch"))?;
    job.options(&["--object-streams=generate", "--deterministic-id"])
        .write(&task.output())?;
    let kept = u32::try_from(drawn.kept.len()).unwrap_or(u32::MAX);
    let warning = (kept > 0).then_some(Warning::FieldsNotFlattened(kept));
    Ok(Product {
        pages: inspection.pages,
        warnings: Vec::from_iter(warning),
        ..Product::default()
    })
}
