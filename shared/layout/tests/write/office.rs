//! What other programs read in a document.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

/// What a library of Python's reads in a document, part by part.
pub(crate) fn reopened(document: &[u8], extension: &str) -> Value {
    told(document, extension, "reopen.py")
}

/// What a document holds as a library of Python's finds it, in order.
pub(crate) fn outlined(document: &[u8], extension: &str) -> Vec<Value> {
    told(document, extension, "outline.py")
        .as_array()
        .unwrap()
        .clone()
}

/// What one of our scripts tells of a document.
fn told(document: &[u8], extension: &str, script: &str) -> Value {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(format!("document.{extension}"));
    std::fs::write(&path, document).unwrap();
    let own = PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../.octavo/venv/tests/bin/python"
    ));
    let python = std::env::var_os("OCTAVO_PYTHON").map_or(own, PathBuf::from);
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/write")
        .join(script);
    let told = Command::new(python)
        .arg(script)
        .arg(&path)
        .arg(extension)
        .output()
        .unwrap();
    assert!(
        told.status.success(),
        "{}",
        String::from_utf8_lossy(&told.stderr)
    );
    serde_json::from_slice(&told.stdout).unwrap()
}

/// The text that LibreOffice makes of a document, by one of its filters.
pub(crate) fn converted(document: &[u8], extension: &str, filter: &str) -> String {
    String::from_utf8(made_by_libreoffice(document, extension, filter))
        .unwrap()
        .trim_start_matches('\u{feff}')
        .to_owned()
}

/// What LibreOffice makes of a document, by one of its filters.
pub(crate) fn made_by_libreoffice(document: &[u8], extension: &str, filter: &str) -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(format!("document.{extension}"));
    std::fs::write(&path, document).unwrap();
    let profile = format!(
        "-env:UserInstallation=file://{}/profile",
        directory.path().display()
    );
    let told = Command::new("soffice")
        .args([&profile, "--headless", "--convert-to", filter, "--outdir"])
        .arg(directory.path())
        .arg(&path)
        .output()
        .unwrap();
    let ending = filter.split(':').next().unwrap();
    let made = std::fs::read(path.with_extension(ending));
    made.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&told.stderr)))
}
