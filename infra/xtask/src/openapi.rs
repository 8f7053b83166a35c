//! Generates `infra/openapi.json` from the table of routes.

use std::path::Path;

use crate::{Outcome, generated};

const FILE: &str = "infra/openapi.json";

pub(crate) fn write(root: &Path) -> Outcome {
    generated::write(root, FILE, &text()?)
}

pub(crate) fn check(root: &Path) -> Outcome {
    generated::check(root, FILE, &text()?, "openapi")
}

fn text() -> Result<String, Vec<String>> {
    contract::openapi::file().map_err(|error| vec![error.to_string()])
}
