//! Files of the repository that are generated: written by a task, and compared by `cargo xtask check`.

use std::path::Path;

use crate::Outcome;

pub(crate) fn write(root: &Path, file: &str, text: &str) -> Outcome {
    std::fs::write(root.join(file), text).map_err(|error| vec![format!("{file}: {error}")])
}

/// Fails when the file differs from what `cargo xtask TASK` writes.
pub(crate) fn check(root: &Path, file: &str, text: &str, task: &str) -> Outcome {
    match std::fs::read_to_string(root.join(file)) {
        Ok(checked_in) if checked_in == text => Ok(()),
        _ => Err(vec![format!(
            "{file} is not up to date: run `cargo xtask {task}`"
        )]),
    }
}
