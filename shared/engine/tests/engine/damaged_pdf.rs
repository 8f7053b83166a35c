//! Every operation on a damaged PDF works on a repaired copy, or rejects it as damaged.

use std::path::Path;

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::operation::Operation;
use serde_json::json;

use crate::sample_documents::numbered;
use crate::{corpus, harness, poppler, qpdf};

/// Every operation that keeps all text and results in a PDF of the only page.
fn rewriting() -> Vec<Operation> {
    let steps = [
        json!({"operation": "split", "ranges": ["1"]}),
        json!({"operation": "extract-pages", "pages": "1"}),
        json!({"operation": "reorder", "order": [1]}),
        json!({"operation": "rotate", "angle": 180}),
        json!({"operation": "optimize", "level": "lossless"}),
        json!({"operation": "optimize", "level": "small"}),
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

/// Operations with other results, all text here.
fn reading() -> [Operation; 4] {
    [
        harness::convert(Format::Png),
        harness::convert(Format::Txt),
        step(&json!({"operation": "info"})),
        step(&json!({"operation": "ocr", "output": "text"})),
    ]
}

/// The words that poppler finds in a document, without the page number that an operation adds.
fn words(pdf: &Path) -> Vec<String> {
    let mut words = poppler::words(pdf);
    words.retain(|word| word != "1");
    words.sort();
    words
}

/// Every third of these operations, others for each of three turns; with all cases, all.
fn sampled(
    operations: impl IntoIterator<Item = Operation>,
    turn: usize,
) -> impl Iterator<Item = Operation> {
    const STEP: usize = 3;
    let runs_all = harness::runs_all_cases();
    let operations = operations.into_iter().enumerate();
    let chosen = operations.filter(move |(at, _)| runs_all || at % STEP == turn % STEP);
    chosen.map(|(_, operation)| operation)
}

/// Runs operations on a document of one page, others for each `turn`; returns the error code if it is rejected.
fn check_operations(turn: usize, name: &str, document: &Path) -> Option<JobErrorCode> {
    let repaired = step(&json!({"operation": "repair"}));
    let repaired = harness::code(harness::run(document, Format::Pdf, &[repaired]));
    let rejected = repaired.as_ref().err().copied();
    for step in sampled(rewriting(), turn) {
        let what = format!("{name}: {}", step.name());
        let result = harness::code(harness::run(
            document,
            Format::Pdf,
            std::slice::from_ref(&step),
        ));
        match (result, &repaired) {
            (Ok(result), Ok(repaired)) => {
                qpdf::check(result.path(), "");
                assert_eq!(poppler::pages(result.path()), 1, "{what}");
                assert_eq!(words(result.path()), words(repaired.path()), "{what}");
            }
            (Err(code), Err(expected)) => assert_eq!(code, *expected, "{what}"),
            (result, _) => panic!("{what}: {:?}, but repaired {rejected:?}", result.err()),
        }
    }
    for step in sampled(reading(), turn) {
        let what = format!("{name}: {}", step.name());
        let result = harness::code(harness::run(
            document,
            Format::Pdf,
            std::slice::from_ref(&step),
        ));
        let error = result.err();
        // A document without content has no other result than a PDF.
        let is_empty = error == Some(JobErrorCode::OutputInvalid)
            && repaired
                .as_ref()
                .is_ok_and(|repaired| words(repaired.path()).is_empty());
        assert!(is_empty || error == rejected, "{what}: {error:?}");
    }
    rejected
}

#[test]
fn every_operation_repairs_its_source() {
    let expected = ["ok", "repairable", "input_corrupt", "safe"];
    let entries = corpus::entries(&["pdf-broken", "hostile"], &expected);
    let entries = entries
        .into_iter()
        .filter(|(_, format)| *format == Format::Pdf);
    harness::each(entries.enumerate().collect(), |(turn, (entry, _))| {
        let rejected = check_operations(turn, &entry.file, &entry.path());
        let right: &[_] = match entry.expect.as_str() {
            "ok" => &[None],
            "input_corrupt" => &[Some(JobErrorCode::InputCorrupt)],
            _ => &[None, Some(JobErrorCode::InputCorrupt)],
        };
        assert!(right.contains(&rejected), "{}: {rejected:?}", entry.file);
    });
}

#[test]
fn truncated_end_and_wrong_header_are_repaired() {
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
    let cases = cases.into_iter().enumerate();
    harness::each(cases.collect(), |(turn, (name, document))| {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), document).unwrap();
        assert_eq!(check_operations(turn, name, file.path()), None, "{name}");
        let text =
            harness::run(file.path(), Format::Pdf, &[harness::convert(Format::Txt)]).unwrap();
        assert_eq!(text.bytes(), b"words 1\n", "{name}");
    });
}

/// The document with a trailer without `/Size`.
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
fn changing_a_signed_document_warns_that_the_signature_is_invalid() {
    let plain = String::from_utf8(numbered("words", 1)).unwrap();
    let run = |flags: u8, options: &serde_json::Value| {
        let form = format!("/Type/Catalog/AcroForm<</Fields[]/SigFlags {flags}>>");
        let document = plain.replace("/Type/Catalog", &form);
        harness::run_bytes(document.as_bytes(), Format::Pdf, &[step(options)]).unwrap()
    };
    let warns = |flags, options: &serde_json::Value| {
        let result = run(flags, options);
        result.warnings().contains(&"signature_invalidated")
    };
    let turned = json!({"operation": "rotate", "angle": 90});
    assert!(warns(3, &turned));
    // An unsigned signature field.
    assert!(!warns(1, &turned));
    assert!(warns(
        3,
        &json!({"operation": "metadata", "title": "Title"})
    ));
    assert!(!warns(3, &json!({"operation": "info"})));
    let optimize = json!({"operation": "optimize"});
    let once = run(3, &optimize);
    let twice = harness::run(once.path(), Format::Pdf, &[step(&optimize)]).unwrap();
    assert_eq!(twice.warnings(), ["already_optimal"]);
}
