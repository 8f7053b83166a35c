//! Flattens form fields and annotations into page content. Links are kept.

mod annotations;
pub mod fields;
mod unflattened;

use std::path::Path;

use task::{Inspection, Product, Task, TaskResult, Warning};

use crate::patch;

/// Runs the operation and writes [`Task::output`].
///
/// # Errors
/// Errors of the document, the request, or the installation.
pub fn run(task: &Task, inspection: &Inspection) -> TaskResult<Product> {
    Ok(Product {
        pages: inspection.pages,
        warnings: Vec::from_iter(write(&task.readable(), &task.directory, &task.output())?),
        ..Product::default()
    })
}

/// Writes a flattened copy of a document, with temporary files in `directory`. Returns a warning if fields are kept.
///
/// # Errors
/// Errors of the document or the installation.
pub fn write(source: &Path, directory: &Path, output: &Path) -> TaskResult<Option<Warning>> {
    let (plain, flat) = (directory.join("plain"), directory.join("flat"));
    patch::write_normalized(source, &plain)?;
    let before = patch::skeleton(&plain)?;
    let mut drawn = fields::appearances(&before, &directory.join("fields"))?;
    unflattened::hide_unflattened(&before, &mut drawn);
    let job = drawn.patch.job(&plain, &directory.join("drawn"))?;
    job.options(&["--generate-appearances", "--flatten-annotations=all"])
        .options(&["--object-streams=disable", "--deterministic-id"])
        .write(&flat)?;
    // qpdf keeps annotations without an appearance stream, and flattens all others, even links.
    let patch = annotations::restored(&before, &patch::skeleton(&flat)?)?;
    let job = patch.job(&flat, &directory.join("patch"))?;
    job.options(&["--object-streams=generate", "--deterministic-id"])
        .write(output)?;
    let kept = u32::try_from(drawn.kept.len()).unwrap_or(u32::MAX);
    Ok((kept > 0).then_some(Warning::FieldsNotFlattened(kept)))
}
