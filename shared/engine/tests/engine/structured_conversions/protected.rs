//! Password-protected documents convert like unprotected ones.

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::operation::converts_by_structure;
use serde_json::{Value, json};

use super::{converted_file, model, pairs, source, structure, tables};
use crate::structured::{KNOWN, blocks, rows, step, text, truth};
use crate::{corpus, harness};

#[test]
fn the_right_password_opens_and_a_wrong_one_does_not() {
    let entries = corpus::entries(&["office-encrypted"], &["password_required"]).into_iter();
    let pairs = pairs();
    let cases = entries.flat_map(|(entry, from)| {
        let to = pairs.iter().filter(move |pair| pair.0 == from);
        to.map(move |(_, to)| (entry.clone(), from, *to))
    });
    // LibreOffice cannot decrypt PPT.
    let cases: Vec<_> = cases.filter(|(_, from, _)| *from != Format::Ppt).collect();
    assert_eq!(cases.len(), 33);
    let kinds = |(entry, _, to): &(corpus::Entry, _, Format)| [entry.file.clone(), to.to_string()];
    harness::sample(cases, 0, kinds, |(entry, from, to)| {
        let with = |options: Value| {
            let steps = [step(to.id(), options)];
            harness::code(harness::run(&entry.path(), from, &steps))
        };
        let what = format!("{} to {to}", entry.file);
        let required = Some(JobErrorCode::PasswordRequired);
        assert_eq!(with(json!({})).err(), required, "{what}");
        let incorrect = Some(JobErrorCode::PasswordIncorrect);
        let wrong = json!({"password": "not it"});
        assert_eq!(with(wrong).err(), incorrect, "{what}");
        let result = with(json!({"password": entry.password}));
        // A document without tables has none with a password either.
        let expected = matches!(to, Format::Xlsx | Format::Csv) && from.id() != "xlsx";
        match result {
            Ok(result) => assert!(!result.bytes().is_empty(), "{what}"),
            Err(code) => assert_eq!(
                (code, expected),
                (JobErrorCode::OutputInvalid, true),
                "{what}"
            ),
        }
    });
}

#[test]
fn every_pair_keeps_its_text_with_a_password() {
    let with: Vec<_> = pairs()
        .into_iter()
        .filter(|(from, _)| opens(*from))
        .collect();
    harness::sample(with, 9, harness::formats, |(from, to)| {
        assert!(converts_by_structure(from, to));
        let (file, words) = source(from);
        let result = converted_file(file, to.id(), json!({"password": "of no use"}));
        let read = crate::structured::reopened(result.path(), to.id());
        let text = read["text"].as_str().unwrap();
        for word in words {
            // XLSX and CSV contain tables only.
            let is_there = text.contains(word) || matches!(to, Format::Xlsx | Format::Csv);
            assert!(is_there, "{from} to {to}: {word} is not in {text}");
        }
    });
}

/// Whether the format supports passwords.
fn opens(from: Format) -> bool {
    use Format::{Docx, Odp, Ods, Odt, Pptx, Xlsx};
    [Docx, Odt, Xlsx, Ods, Pptx, Odp].contains(&from)
}

#[test]
fn headings_lists_and_tables_match_the_source() {
    harness::each(KNOWN.to_vec(), |name| {
        let file = format!("layout-truth/{name}.docx");
        let result = converted_file(&file, "json", json!({"password": "of no use"}));
        let (found, wanted) = (blocks(&model(&result)), truth(name));
        assert_eq!(
            structure(&found, |part| text(&part["runs"])),
            structure(&wanted, |part| part["text"].as_str().unwrap().to_owned()),
            "{name}"
        );
        assert_eq!(
            tables(&found, |table| json!(rows(table))),
            tables(&wanted, |table| table["rows"].clone()),
            "{name}"
        );
    });
}

#[test]
fn slide_notes_are_included_on_request() {
    let slides = |options| {
        let source = corpus::file("pptx/sld-notes.pptx");
        harness::code(harness::run(&source, Format::Pptx, &[step("txt", options)]))
    };
    let with = slides(json!({"notes": true, "password": "of no use"})).unwrap();
    assert!(!with.bytes().trim_ascii().is_empty());
    // The slides have nothing but notes.
    let without = slides(json!({"password": "of no use"})).err();
    assert_eq!(without, Some(JobErrorCode::OutputInvalid));
}

#[test]
fn text_is_the_same_with_and_without_a_password() {
    let of_truth = KNOWN.map(|name| format!("layout-truth/{name}.docx"));
    let others = ["docx/word_sample.docx", "docx/footnotes.docx"].map(str::to_owned);
    harness::each(of_truth.into_iter().chain(others).collect(), |file| {
        let [open, locked] = [json!({}), json!({"password": "of no use"})].map(|options| {
            String::from_utf8(converted_file(&file, "txt", options).bytes()).unwrap()
        });
        assert_eq!(locked, open, "{file}");
    });
}
