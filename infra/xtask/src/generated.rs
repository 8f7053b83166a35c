//! Generated files of the repository: written by a task, compared by `cargo xtask check`.

use std::path::Path;

use crate::Outcome;

pub(crate) fn write(root: &Path, file: &str, text: &str) -> Outcome {
    std::fs::write(root.join(file), text).map_err(|error| vec![format!("{file}: {error}")])
}

/// Fails if the file differs from the output of `cargo xtask TASK`.
pub(crate) fn check(root: &Path, file: &str, text: &str, task: &str) -> Outcome {
    match std::fs::read_to_string(root.join(file)) {
        Ok(checked_in) if checked_in == text => Ok(()),
        _ => Err(vec![format!(
            "{file} is not up to date: run `cargo xtask {task}`"
        )]),
    }
}
