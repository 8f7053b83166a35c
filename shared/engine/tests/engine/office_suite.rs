//! LibreOffice as a program of its own, for formats that no conversion makes.

use std::path::{Path, PathBuf};
use std::process::Command;

use domain::format::Format;

/// Saves documents in another format, each next to itself.
pub(crate) fn save(documents: &[&Path], format: Format) -> Vec<PathBuf> {
    let profile = tempfile::tempdir().unwrap();
    let profile = format!("-env:UserInstallation=file://{}", profile.path().display());
    let output = Command::new("soffice")
        .args([&profile, "--headless", "--convert-to", format.extension()])
        .arg("--outdir")
        .arg(documents[0].parent().unwrap())
        .args(documents)
        .output()
        .unwrap();
    let saved = documents.iter();
    let saved: Vec<PathBuf> = saved
        .map(|document| document.with_extension(format.extension()))
        .collect();
    assert!(saved.iter().all(|path| path.exists()), "{output:?}");
    saved
}
