//! Reads documents with other programs.

use std::path::PathBuf;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

/// Locked while LibreOffice uses the profile.
static PROFILE: Mutex<()> = Mutex::new(());

/// Returns the content of a document by part, as read by a Python library.
pub(crate) fn reopened(document: &[u8], extension: &str) -> Value {
    script_output(document, extension, "reopen.py")
}

/// Returns the outline of a document, as read by a Python library.
pub(crate) fn outlined(document: &[u8], extension: &str) -> Vec<Value> {
    script_output(document, extension, "outline.py")
        .as_array()
        .unwrap()
        .clone()
}

/// Runs a script on a document and returns its JSON output.
fn script_output(document: &[u8], extension: &str, script: &str) -> Value {
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
    let output = Command::new(python)
        .arg(script)
        .arg(&path)
        .arg(extension)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Converts a document to text with a LibreOffice filter.
pub(crate) fn converted(document: &[u8], extension: &str, filter: &str) -> String {
    String::from_utf8(made_by_libreoffice(document, extension, filter))
        .unwrap()
        .trim_start_matches('\u{feff}')
        .to_owned()
}

/// Converts a document with a LibreOffice filter.
pub(crate) fn made_by_libreoffice(document: &[u8], extension: &str, filter: &str) -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(format!("document.{extension}"));
    std::fs::write(&path, document).unwrap();
    // Creating a profile takes longer than most conversions, so tests that run one after the other share one.
    let slot = std::env::var("NEXTEST_TEST_GLOBAL_SLOT").unwrap_or_else(|_| "0".to_owned());
    let profile = concat!("-env:UserInstallation=file://", env!("CARGO_TARGET_TMPDIR"));
    let profile = format!("{profile}/profile-{slot}");
    let _profile = PROFILE.lock().unwrap_or_else(PoisonError::into_inner);
    let output = Command::new("soffice")
        .args([&profile, "--headless", "--convert-to", filter, "--outdir"])
        .arg(directory.path())
        .arg(&path)
        .output()
        .unwrap();
    let ending = filter.split(':').next().unwrap();
    let made = std::fs::read(path.with_extension(ending));
    made.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}
