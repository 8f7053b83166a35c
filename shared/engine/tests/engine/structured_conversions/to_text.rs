//! Office text documents to plain text, through our readers and through LibreOffice.

use domain::format::{Category, Format};
use domain::job::JobErrorCode;
use serde_json::json;

use super::{converted, text_of};
use crate::sample_documents::docx;
use crate::structured::step;
use crate::{corpus, harness};

fn cell(text: &str) -> String {
    format!("<w:tc><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:tc>")
}

#[test]
fn documents_ending_with_a_table_become_text_with_and_without_a_password() {
    let row = |one, other| format!("<w:tr>{}{}</w:tr>", cell(one), cell(other));
    let (first, second) = (row("a", "b"), row("c", "d"));
    let table =
        format!("<w:tbl><w:tblGrid><w:gridCol/><w:gridCol/></w:tblGrid>{first}{second}</w:tbl>");
    let word = docx(
        &format!("<w:p><w:r><w:t>before</w:t></w:r></w:p>{table}"),
        "",
    );
    // A given password selects LibreOffice, whether the document needs one or not.
    for options in [json!({}), json!({"password": "of no use"})] {
        let text = converted(&word, Format::Docx, "txt", options).bytes();
        assert_eq!(String::from_utf8(text).unwrap(), "before\n\na\tb\nc\td\n");
    }
    let rich = r"{\rtf1 before\par\trowd\cellx999\cellx1999\intbl a\cell b\cell\row}";
    assert_eq!(text_of(rich, Format::Rtf, "txt"), "before\n\na\tb\n");
}

#[test]
fn every_encryption_opens_with_the_right_password_only() {
    let entries = corpus::entries(&["office-encrypted"], &["password_required"]).into_iter();
    let texts = entries.filter(|(_, format)| format.spec().category == Category::Text);
    let texts: Vec<_> = texts.collect();
    assert_eq!(texts.len(), 4);
    harness::each(texts, |(entry, format)| {
        let with =
            |options| harness::code(harness::run(&entry.path(), format, &[step("txt", options)]));
        let rejected = |options| with(options).err();
        let required = Some(JobErrorCode::PasswordRequired);
        assert_eq!(rejected(json!({})), required, "{}", entry.file);
        let incorrect = Some(JobErrorCode::PasswordIncorrect);
        assert_eq!(
            rejected(json!({"password": "not it"})),
            incorrect,
            "{}",
            entry.file
        );
        let result = with(json!({"password": entry.password})).unwrap();
        let text = String::from_utf8(result.bytes()).unwrap();
        assert!(!text.trim().is_empty(), "{}", entry.file);
    });
}
