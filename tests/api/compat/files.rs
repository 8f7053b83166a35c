//! Looking into the files that the forms answer with.

use std::io::Write;
use std::process::Command;

/// The text of a PDF, as poppler reads it.
pub(super) fn pdf_text(pdf: &[u8]) -> String {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(pdf).unwrap();
    let output = Command::new("pdftotext").arg(file.path()).arg("-").output();
    String::from_utf8(output.unwrap().stdout).unwrap()
}
