//! The document as it is read: what a form's fields hold is on its pages.

use std::path::PathBuf;

use pdf::flatten::fields;
use pdf::patch;
use task::{Inspection, Outcome, Task};

/// The document, with every field of its form drawn.
pub(super) fn readable(task: &Task, inspection: &Inspection) -> Outcome<PathBuf> {
    let drawn = match inspection.catalog.form {
        true => with_fields(task)?,
        false => None,
    };
    Ok(drawn.unwrap_or_else(|| task.readable()))
}

/// A copy of the document whose fields are drawn that were not, or none where all of them were.
fn with_fields(task: &Task) -> Outcome<Option<PathBuf>> {
    let (plain, drawn) = (task.directory.join("plain"), task.directory.join("drawn"));
    patch::plain(&task.readable(), &plain)?;
    // What cannot be understood has the text of its pages still.
    let Ok(document) = patch::skeleton(&plain) else {
        return Ok(None);
    };
    let patch = fields::drawn(&document, &task.directory.join("fields"))?.patch;
    if patch.is_empty() {
        return Ok(None);
    }
    let job = patch.job(&plain, &task.directory.join("patch"))?;
    job.option("--deterministic-id").write(&drawn)?;
    Ok(Some(drawn))
}
