//! The checked-in OpenAPI description is the one that the table of routes makes.

use std::path::{Path, PathBuf};

use crate::Outcome;

pub(crate) fn write(root: &Path) -> Outcome {
    let text = contract::openapi::file().map_err(|error| vec![error.to_string()])?;
    std::fs::write(path(root), text).map_err(|error| vec![error.to_string()])
}

pub(crate) fn check(root: &Path) -> Outcome {
    let text = contract::openapi::file().map_err(|error| vec![error.to_string()])?;
    match std::fs::read_to_string(path(root)) {
        Ok(checked_in) if checked_in == text => Ok(()),
        _ => Err(vec![
            "infra/openapi.json is not what the table of routes makes: run `make openapi`"
                .to_owned(),
        ]),
    }
}

fn path(root: &Path) -> PathBuf {
    root.join("infra/openapi.json")
}
