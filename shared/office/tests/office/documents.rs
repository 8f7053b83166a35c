//! Documents become others in forks.

use serde_json::json;

use crate::rig::{RTF, Rig};

#[test]
fn a_document_becomes_pdf_and_other_formats() {
    let rig = Rig::new();
    let pdf = rig.convert("a.rtf", RTF, json!({"format": "pdf"})).unwrap();
    assert!(pdf.starts_with(b"%PDF-1.") && pdf.trim_ascii_end().ends_with(b"%%EOF"));
    let docx = rig
        .convert("a.rtf", RTF, json!({"format": "docx"}))
        .unwrap();
    assert!(docx.starts_with(b"PK\x03\x04"));
    let back = rig
        .convert("a.docx", &docx, json!({"format": "txt"}))
        .unwrap();
    assert_eq!(
        String::from_utf8(back).unwrap().trim(),
        "\u{feff}Hello, world."
    );
}

#[test]
fn a_name_may_hold_what_urls_may_not() {
    let rig = Rig::new();
    let made = rig.convert("a b%20ü#?&.rtf", RTF, json!({"format": "pdf"}));
    assert!(made.unwrap().starts_with(b"%PDF-"));
}

#[test]
fn a_document_that_cannot_be_read_is_said_to_be_so() {
    let rig = Rig::new();
    let convert = |bytes: &[u8]| rig.convert("a.docx", bytes, json!({"format": "odt"}));
    // LibreOffice would ask whether to mend it.
    assert_eq!(convert(b"PK\x03\x04\x14\x00").unwrap_err(), "unanswered");
    let process = rig.process();
    // LibreOffice takes nothing for an empty document; whoever asks has to look at the source first.
    assert!(convert(b"").is_ok());
    rig.assert_good();
    assert_eq!(rig.process(), process, "the zygote is not to blame");
}
