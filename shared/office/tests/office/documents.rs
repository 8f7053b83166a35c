//! Document conversion in forks.

use serde_json::json;

use crate::harness::{Harness, RTF};

#[test]
fn a_document_is_converted_to_pdf_and_other_formats() {
    let harness = Harness::new();
    let pdf = harness
        .convert("a.rtf", RTF, json!({"format": "pdf"}))
        .unwrap();
    assert!(pdf.starts_with(b"%PDF-1.") && pdf.trim_ascii_end().ends_with(b"%%EOF"));
    let docx = harness
        .convert("a.rtf", RTF, json!({"format": "docx"}))
        .unwrap();
    assert!(docx.starts_with(b"PK\x03\x04"));
    let back = harness
        .convert("a.docx", &docx, json!({"format": "txt"}))
        .unwrap();
    assert_eq!(
        String::from_utf8(back).unwrap().trim(),
        "\u{feff}Hello, world."
    );
}

#[test]
fn file_names_may_contain_characters_reserved_in_urls() {
    let harness = Harness::new();
    let made = harness.convert("a b%20ü#?&.rtf", RTF, json!({"format": "pdf"}));
    assert!(made.unwrap().starts_with(b"%PDF-"));
}

#[test]
fn an_unreadable_document_is_reported() {
    let harness = Harness::new();
    let convert = |bytes: &[u8]| harness.convert("a.docx", bytes, json!({"format": "odt"}));
    // LibreOffice would open a dialog and ask whether to repair it.
    assert_eq!(convert(b"PK\x03\x04\x14\x00").unwrap_err(), "dialog");
    let process = harness.process();
    // LibreOffice loads an empty file as an empty document, so callers must check the source first.
    assert!(convert(b"").is_ok());
    harness.assert_good();
    assert_eq!(harness.process(), process, "the zygote was replaced");
}
