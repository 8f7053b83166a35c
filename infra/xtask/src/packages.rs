//! Checks that the set-up script installs the Tesseract model of every OCR language.

use std::path::Path;

use domain::operation::LANGUAGES;

use crate::{Outcome, outcome};

pub(crate) fn check(root: &Path) -> Outcome {
    let path = root.join("infra/setup/packages.sh");
    let text = std::fs::read_to_string(path).map_err(|error| vec![error.to_string()])?;
    let packages: Vec<&str> = text.split([' ', '\n', '(', ')']).collect();
    let models = LANGUAGES.iter().map(|language| package(language.code));
    let missing = models.filter(|model| !packages.contains(&model.as_str()));
    let fault = |model| format!("infra/setup/packages.sh does not install {model}");
    let faults: Vec<_> = missing.map(fault).collect();
    outcome(faults)
}

/// Debian package of a model: `chi_sim` is in `tesseract-ocr-chi-sim`.
fn package(code: &str) -> String {
    format!("tesseract-ocr-{}", code.replace('_', "-"))
}
