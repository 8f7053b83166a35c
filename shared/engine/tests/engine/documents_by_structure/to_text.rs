//! Texts of offices become plain text, whichever way they are opened.

use domain::format::{Category, Format};
use domain::job::JobErrorCode;
use serde_json::json;

use super::{made, text_of};
use crate::documents::docx;
use crate::structured::step;
use crate::{corpus, rig};

fn cell(text: &str) -> String {
    format!("<w:tc><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:tc>")
}

#[test]
fn a_document_that_ends_with_a_table_becomes_text_with_and_without_a_password() {
    let row = |one, other| format!("<w:tr>{}{}</w:tr>", cell(one), cell(other));
    let (first, second) = (row("a", "b"), row("c", "d"));
    let table =
        format!("<w:tbl><w:tblGrid><w:gridCol/><w:gridCol/></w:tblGrid>{first}{second}</w:tbl>");
    let word = docx(
        &format!("<w:p><w:r><w:t>before</w:t></w:r></w:p>{table}"),
        "",
    );
    // LibreOffice opens it when a password is given, whether it needs one or not.
    for options in [json!({}), json!({"password": "of no use"})] {
        let text = made(&word, Format::Docx, "txt", options).bytes();
        assert_eq!(String::from_utf8(text).unwrap(), "before\n\na\tb\nc\td\n");
    }
    let rich = r"{\rtf1 before\par\trowd\cellx999\cellx1999\intbl a\cell b\cell\row}";
    assert_eq!(text_of(rich, Format::Rtf, "txt"), "before\n\na\tb\n");
}

#[test]
fn a_password_opens_every_kind_of_encrypted_text_and_another_one_none() {
    let entries = corpus::entries(&["office-encrypted"], &["password_required"]).into_iter();
    let texts = entries.filter(|(_, format)| format.facts().category == Category::Text);
    let texts: Vec<_> = texts.collect();
    assert_eq!(texts.len(), 4);
    rig::each(texts, |(entry, format)| {
        let with = |options| rig::code(rig::run(&entry.path(), format, &[step("txt", options)]));
        let refused = |options| with(options).err();
        let required = Some(JobErrorCode::PasswordRequired);
        assert_eq!(refused(json!({})), required, "{}", entry.file);
        let incorrect = Some(JobErrorCode::PasswordIncorrect);
        assert_eq!(
            refused(json!({"password": "not it"})),
            incorrect,
            "{}",
            entry.file
        );
        let made = with(json!({"password": entry.password})).unwrap();
        let text = String::from_utf8(made.bytes()).unwrap();
        assert!(!text.trim().is_empty(), "{}", entry.file);
    });
}
