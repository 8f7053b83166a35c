//! Makes filled-in forms and comments part of the pages. Links stay what they are.

mod annotations;
pub mod fields;
mod kept;

use task::{Inspection, Outcome, Product, Remark, Task};

use crate::patch;

/// Does the operation; the result lies at [`Task::output`].
///
/// # Errors
/// What is wrong with the document or the request, or with the installation.
pub fn run(task: &Task, inspection: &Inspection) -> Outcome<Product> {
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
