//! Documents under a password become what open ones do.

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::operation::is_read;
use serde_json::{Value, json};

use super::{made_of, model, pairs, source, structure, tables};
use crate::structured::{KNOWN, blocks, rows, step, text, truth};
use crate::{corpus, rig};

#[test]
fn a_password_opens_what_is_read_and_another_one_does_not() {
    let entries = corpus::entries(&["office-encrypted"], &["password_required"]).into_iter();
    let pairs = pairs();
    let cases = entries.flat_map(|(entry, from)| {
        let to = pairs.iter().filter(move |pair| pair.0 == from);
        to.map(move |(_, to)| (entry.clone(), from, *to))
    });
    let cases: Vec<_> = cases.collect();
    assert_eq!(cases.len(), 28);
    let kinds = |(entry, _, to): &(corpus::Entry, _, Format)| [entry.file.clone(), to.to_string()];
    rig::sample(cases, 0, kinds, |(entry, from, to)| {
        let with = |options: Value| {
            let steps = [step(to.id(), options)];
            rig::code(rig::run(&entry.path(), from, &steps))
        };
        let what = format!("{} to {to}", entry.file);
        let required = Some(JobErrorCode::PasswordRequired);
        assert_eq!(with(json!({})).err(), required, "{what}");
        let incorrect = Some(JobErrorCode::PasswordIncorrect);
        let wrong = json!({"password": "not it"});
        assert_eq!(with(wrong).err(), incorrect, "{what}");
        let made = with(json!({"password": entry.password}));
        // What holds no table has none under a password either.
        let expected = matches!(to, Format::Xlsx | Format::Csv) && from.id() != "xlsx";
        match made {
            Ok(made) => assert!(!made.bytes().is_empty(), "{what}"),
            Err(code) => assert_eq!(
                (code, expected),
                (JobErrorCode::OutputInvalid, true),
                "{what}"
            ),
        }
    });
}

#[test]
fn every_pair_says_with_a_password_what_its_source_says() {
    let with: Vec<_> = pairs()
        .into_iter()
        .filter(|(from, _)| opens(*from))
        .collect();
    rig::sample(with, 9, rig::formats, |(from, to)| {
        assert!(is_read(from, to));
        let (file, words) = source(from);
        let made = made_of(file, to.id(), json!({"password": "of no use"}));
        let read = crate::structured::reopened(made.path(), to.id());
        let text = read["text"].as_str().unwrap();
        for word in words {
            // Of XLSX and CSV the tables alone are there.
            let is_there = text.contains(word) || matches!(to, Format::Xlsx | Format::Csv);
            assert!(is_there, "{from} to {to}: {word} is not in {text}");
        }
    });
}

/// Whether a password means anything for a format.
fn opens(from: Format) -> bool {
    use Format::{Docx, Odp, Ods, Odt, Pptx, Xlsx};
    [Docx, Odt, Xlsx, Ods, Pptx, Odp].contains(&from)
}

#[test]
fn headings_lists_and_tables_are_those_of_the_source() {
    rig::each(KNOWN.to_vec(), |name| {
        let file = format!("layout-truth/{name}.docx");
        let made = made_of(&file, "json", json!({"password": "of no use"}));
        let (found, wanted) = (blocks(&model(&made)), truth(name));
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
fn notes_of_slides_are_there_when_they_are_asked_for() {
    let slides = |options| {
        let made = made_of("pptx/sld-notes.pptx", "txt", options);
        String::from_utf8(made.bytes()).unwrap()
    };
    let with = slides(json!({"notes": true, "password": "of no use"}));
    let without = slides(json!({"password": "of no use"}));
    assert!(with.len() > without.len(), "{with}");
}

#[test]
fn text_is_the_same_whichever_way_a_document_is_opened() {
    let of_truth = KNOWN.map(|name| format!("layout-truth/{name}.docx"));
    let others = ["docx/word_sample.docx", "docx/footnotes.docx"].map(str::to_owned);
    rig::each(of_truth.into_iter().chain(others).collect(), |file| {
        let [open, locked] = [json!({}), json!({"password": "of no use"})]
            .map(|options| String::from_utf8(made_of(&file, "txt", options).bytes()).unwrap());
        assert_eq!(locked, open, "{file}");
    });
}
