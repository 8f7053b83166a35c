//! Prepares a PDF for text extraction: renders the values of form fields on its pages.

use std::path::PathBuf;

use pdf::flatten::fields;
use pdf::patch;
use task::{Inspection, Task, TaskResult};

/// Returns the path of the document with an appearance for every form field.
pub(super) fn readable(task: &Task, inspection: &Inspection) -> TaskResult<PathBuf> {
    let rendered = match inspection.catalog.form {
        true => with_fields(task)?,
        false => None,
    };
    Ok(rendered.unwrap_or_else(|| task.readable()))
}

/// Writes a copy with the missing appearances of form fields. Returns `None` if none is missing.
fn with_fields(task: &Task) -> TaskResult<Option<PathBuf>> {
    let (plain, rendered) = (
        task.directory.join("plain"),
        task.directory.join("rendered"),
    );
    patch::write_normalized(&task.readable(), &plain)?;
    // A document whose object graph cannot be read still has its page text.
    let Ok(document) = patch::skeleton(&plain) else {
        return Ok(None);
    };
    let patch = fields::appearances(&document, &task.directory.join("fields"))?.patch;
    if patch.is_empty() {
        return Ok(None);
    }
    let job = patch.job(&plain, &task.directory.join("patch"))?;
    job.option("--deterministic-id").write(&rendered)?;
    Ok(Some(rendered))
}
