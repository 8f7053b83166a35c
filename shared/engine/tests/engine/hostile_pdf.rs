//! Every operation on a hostile PDF ends with a result or a clear error code.

mod cycles;

use std::path::Path;

use domain::format::Format;
use domain::job::{JobErrorCode, JobLimits};
use domain::operation::{MergeOptions, Operation};
use serde_json::{Value, json};

use crate::sample_documents::numbered;
use crate::{corpus, harness, qpdf};

/// Acceptable error codes: no document may keep an engine busy up to its time or memory limit.
const CLEAR: [JobErrorCode; 4] = [
    JobErrorCode::FieldsInvalid,
    JobErrorCode::InputCorrupt,
    JobErrorCode::InputTooLarge,
    JobErrorCode::OutputTooLarge,
];
/// Plan limits with few pages, because the time limit grows with the page limit.
const LIMITS: JobLimits = JobLimits {
    pages: 50,
    ..harness::GENEROUS
};

fn steps() -> Vec<Operation> {
    let read = |options: Value| {
        Operation::read(&options, "$").unwrap_or_else(|fault| panic!("{options}: {fault:?}"))
    };
    [
        json!({"operation": "convert", "format": "png"}),
        json!({"operation": "convert", "format": "txt"}),
        json!({"operation": "convert", "format": "docx"}),
        json!({"operation": "convert", "format": "json"}),
        json!({"operation": "info"}),
        json!({"operation": "optimize"}),
        json!({"operation": "repair"}),
        json!({"operation": "fill", "fields": {"name": "value"}}),
        json!({"operation": "sanitize", "metadata": true}),
        json!({"operation": "pdfa"}),
        json!({"operation": "flatten"}),
        json!({"operation": "extract-pages", "pages": "1"}),
        json!({"operation": "split", "every": 1}),
        json!({"operation": "watermark", "text": "DRAFT"}),
        json!({"operation": "metadata", "title": "Title"}),
    ]
    .map(read)
    .to_vec()
}

fn assert_ends_clearly(name: &str, result: Result<harness::Converted, engine::EngineError>) {
    match harness::code(result) {
        // A document that cannot be optimized is returned unchanged.
        Ok(result) if result.warnings().contains(&"already_optimal") => {}
        Ok(result) if result.artifact.extension == "pdf" => qpdf::read(result.path()),
        Ok(_) => {}
        // No watermark fits on pages of such sizes, and of a document without content none can be made.
        Err(JobErrorCode::OutputInvalid)
            if name.starts_with("a page of") || name.ends_with(": convert") => {}
        Err(code) => assert!(CLEAR.contains(&code), "{name}: {code:?}"),
    }
}

/// Checks each document with each operation and merged, or a sample of these pairs.
fn all_end(documents: Vec<(String, Vec<u8>)>, first: usize) {
    let documents = documents.into_iter().map(|(name, document)| {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), document).unwrap();
        (name, file)
    });
    let documents: Vec<_> = documents.collect();
    let steps: Vec<_> = steps().into_iter().map(Some).chain([None]).collect();
    let pairs = documents
        .iter()
        .flat_map(|document| steps.iter().map(move |step| (document, step.as_ref())));
    type Pair<'p> = (&'p (String, tempfile::NamedTempFile), Option<&'p Operation>);
    let kinds = |((name, _), step): &Pair<'_>| [name.clone(), format!("{step:?}")];
    harness::sample(
        pairs.collect(),
        first,
        kinds,
        |((name, file), step)| match step {
            Some(step) => end(name, file.path(), step),
            None => end_merged(name, file.path()),
        },
    );
}

fn end(name: &str, file: &Path, step: &Operation) {
    let name = format!("{name}: {}", step.name());
    let steps = std::slice::from_ref(step);
    assert_ends_clearly(&name, harness::run_within(file, Format::Pdf, steps, LIMITS));
}

fn end_merged(name: &str, file: &Path) {
    let key = domain::id::SourceKey::mint(domain::timestamp::Timestamp(1), 1);
    let merge = Operation::Merge(MergeOptions {
        source_keys: vec![key],
    });
    let whole = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(whole.path(), numbered("whole", 1)).unwrap();
    let next_to = [(file, Format::Pdf)];
    let merged =
        harness::run_with_attachments((whole.path(), Format::Pdf), &next_to, merge.clone(), LIMITS);
    assert_ends_clearly(&format!("{name}: merged"), merged);
    let next_to = [(whole.path(), Format::Pdf)];
    let merged = harness::run_with_attachments((file, Format::Pdf), &next_to, merge, LIMITS);
    assert_ends_clearly(&format!("{name}: merged first"), merged);
}

#[test]
fn truncated_and_altered_copies_end_in_every_operation() {
    let source = corpus::file("pdf-text/page-labels-and-outlines.pdf");
    let whole = std::fs::read(source).unwrap();
    let part = |length: usize| whole[..length].to_vec();
    let mut cases = vec![
        ("a quarter".to_owned(), part(whole.len() / 4)),
        ("half".to_owned(), part(whole.len() / 2)),
        ("all but a byte".to_owned(), part(whole.len() - 1)),
    ];
    cases.extend((1..=6).map(|seed| (format!("altered by {seed}"), altered(&whole, seed))));
    all_end(cases, 3);
}

/// A copy with one bit flipped in about every 2,000th byte.
fn altered(whole: &[u8], seed: u64) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    let mut state = seed;
    for _ in 0..whole.len() / 2_000 {
        // Knuth's multiplicative hash: the same bits in each run.
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let place = (state >> 33) as usize;
        bytes[place % whole.len()] ^= 1 << (state >> 29 & 7);
    }
    bytes
}

#[test]
fn cycles_end_in_every_operation() {
    let cases = cycles::cycles().into_iter().chain(cycles::bombs());
    let cases = cases.map(|(name, document)| (name.to_owned(), document));
    all_end(cases.collect(), 0);
}
