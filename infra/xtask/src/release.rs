//! Checks that the API is backward compatible with the released OpenAPI document `infra/openapi-released.json`, which
//! `cargo xtask release` writes.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::Outcome;
use crate::breaking::differences;

/// Makes the current document the released one, if it has no breaking change.
pub(crate) fn write(root: &Path) -> Outcome {
    if path(root).exists() {
        check(root)?;
    }
    let text = contract::openapi::file().map_err(|error| vec![error.to_string()])?;
    std::fs::write(path(root), text).map_err(|error| vec![error.to_string()])
}

/// Finds the breaking changes since the last release.
pub(crate) fn check(root: &Path) -> Outcome {
    let fault = |error: String| vec![format!("infra/openapi-released.json: {error}")];
    let text = std::fs::read_to_string(path(root)).map_err(|error| fault(error.to_string()))?;
    let released: Value = serde_json::from_str(&text).map_err(|error| fault(error.to_string()))?;
    let current = contract::openapi::document(&[]);
    let faults = differences(&released, &current);
    if faults.is_empty() {
        return Ok(());
    }
    let describe = |fault| format!("breaks clients of the last release: {fault}");
    Err(faults.into_iter().map(describe).collect())
}

fn path(root: &Path) -> PathBuf {
    root.join("infra/openapi-released.json")
}
