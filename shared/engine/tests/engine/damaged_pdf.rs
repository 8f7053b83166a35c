//! Every operation on damaged PDF works on what a mended copy of it holds, or refuses it as damaged.

use std::path::Path;

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::operation::Operation;
use serde_json::json;

use crate::documents::numbered;
use crate::{corpus, poppler, qpdf, rig};

/// Every operation on PDF that leaves all of its text, and makes a PDF of the only page.
fn rewriting() -> Vec<Operation> {
    let steps = [
        json!({"operation": "split", "ranges": ["1"]}),
        json!({"operation": "extract-pages", "pages": "1"}),
        json!({"operation": "reorder", "order": [1]}),
        json!({"operation": "rotate", "angle": 180}),
        json!({"operation": "optimise", "level": "lossless"}),
        json!({"operation": "optimise", "level": "small"}),
        json!({"operation": "decrypt"}),
        json!({"operation": "encrypt", "ownerPassword": "owner"}),
        json!({"operation": "page-numbers"}),
        json!({"operation": "metadata", "title": "Title"}),
        json!({"operation": "flatten"}),
        json!({"operation": "repair"}),
        json!({"operation": "ocr", "output": "pdf"}),
    ];
    steps.iter().map(step).collect()
}

fn step(options: &serde_json::Value) -> Operation {
    Operation::read(options, "$").unwrap_or_else(|fault| panic!("{options}: {fault:?}"))
}

/// What other operations make of a document, which is text here.
fn reading() -> [Operation; 4] {
    [
        rig::convert(Format::Png),
        rig::convert(Format::Txt),
        step(&json!({"operation": "info"})),
        step(&json!({"operation": "ocr", "output": "text"})),
    ]
}

/// The words that are found in a document by a reader of another make, without the number that an operation adds.
fn words(pdf: &Path) -> Vec<String> {
    let mut words = poppler::words(pdf);
    words.retain(|word| word != "1");
    words.sort();
    words
}

/// Does everything with a document of one page, and tells what it is refused with, if it is.
fn try_everything(name: &str, document: &Path) -> Option<JobErrorCode> {
    let mended = step(&json!({"operation": "repair"}));
    let mended = rig::code(rig::run(document, Format::Pdf, &[mended]));
    let refused = mended.as_ref().err().copied();
    for step in rewriting() {
        let what = format!("{name}: {}", step.name());
        let made = rig::code(rig::run(document, Format::Pdf, std::slice::from_ref(&step)));
        match (made, &mended) {
            (Ok(made), Ok(mended)) => {
                qpdf::check(made.path(), "");
                assert_eq!(poppler::pages(made.path()), 1, "{what}");
                assert_eq!(words(made.path()), words(mended.path()), "{what}");
            }
            (Err(code), Err(expected)) => assert_eq!(code, *expected, "{what}"),
            (made, _) => panic!("{what}: {:?}, but mended {refused:?}", made.err()),
        }
    }
    for step in reading() {
        let what = format!("{name}: {}", step.name());
        let made = rig::code(rig::run(document, Format::Pdf, std::slice::from_ref(&step)));
        assert_eq!(made.err(), refused, "{what}");
    }
    refused
}

#[test]
fn every_operation_mends_what_it_works_on() {
    let expected = ["ok", "repairable", "input_corrupt", "safe"];
    let entries = corpus::entries(&["pdf-broken", "hostile"], &expected);
    let entries = entries
        .into_iter()
        .filter(|(_, format)| *format == Format::Pdf);
    rig::each(entries.collect(), |(entry, _)| {
        let refused = try_everything(&entry.file, &entry.path());
        let right: &[_] = match entry.expect.as_str() {
            "ok" => &[None],
            "input_corrupt" => &[Some(JobErrorCode::InputCorrupt)],
            _ => &[None, Some(JobErrorCode::InputCorrupt)],
        };
        assert!(right.contains(&refused), "{}: {refused:?}", entry.file);
    });
}

#[test]
fn a_cut_end_and_a_wrong_beginning_are_mended() {
    let whole = numbered("words", 1);
    let table = whole
        .windows(5)
        .rposition(|part| part == b"xref\n")
        .unwrap();
    let cases = [
        ("without a table", whole[..table].to_vec()),
        ("without a last byte", whole[..whole.len() - 1].to_vec()),
        (
            "noise before",
            [b"noise ".repeat(300), whole.clone()].concat(),
        ),
        (
            "noise behind",
            [whole.clone(), b" noise".repeat(300)].concat(),
        ),
        ("without a size", without_a_size(&whole)),
        ("zeros behind", [whole.clone(), vec![0; 4000]].concat()),
    ];
    rig::each(cases.to_vec(), |(name, document)| {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), document).unwrap();
        assert_eq!(try_everything(name, file.path()), None, "{name}");
        let text = rig::run(file.path(), Format::Pdf, &[rig::convert(Format::Txt)]).unwrap();
        assert_eq!(text.bytes(), b"words 1\n", "{name}");
    });
}

/// The same with a trailer that does not say how many objects there are.
fn without_a_size(whole: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(whole).into_owned();
    let begin = text.rfind("/Size ").unwrap();
    let digits = whole[begin + 6..]
        .iter()
        .take_while(|byte| byte.is_ascii_digit());
    let end = begin + 6 + digits.count();
    [&whole[..begin], &whole[end..]].concat()
}

#[test]
fn a_changed_copy_of_a_signed_document_is_said_to_be_unsigned() {
    let plain = String::from_utf8(numbered("words", 1)).unwrap();
    let run = |flags: u8, options: &serde_json::Value| {
        let form = format!("/Type/Catalog/AcroForm<</Fields[]/SigFlags {flags}>>");
        let document = plain.replace("/Type/Catalog", &form);
        rig::run_bytes(document.as_bytes(), Format::Pdf, &[step(options)]).unwrap()
    };
    let warns = |flags, options: &serde_json::Value| {
        let made = run(flags, options);
        made.warnings().contains(&"signature_invalidated")
    };
    let turned = json!({"operation": "rotate", "angle": 90});
    assert!(warns(3, &turned));
    // A field for a signature that nobody has given.
    assert!(!warns(1, &turned));
    assert!(warns(
        3,
        &json!({"operation": "metadata", "title": "Title"})
    ));
    assert!(!warns(3, &json!({"operation": "info"})));
    let optimise = json!({"operation": "optimise"});
    let once = run(3, &optimise);
    let twice = rig::run(once.path(), Format::Pdf, &[step(&optimise)]).unwrap();
    assert_eq!(twice.warnings(), ["already_optimal"]);
}
