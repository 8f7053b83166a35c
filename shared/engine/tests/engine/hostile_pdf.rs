//! Every operation on PDF that is made to do harm ends in a result or in a code that says why there is none.

mod circles;

use std::path::Path;

use domain::format::Format;
use domain::job::{JobErrorCode, JobLimits};
use domain::operation::{MergeOptions, Operation};
use serde_json::{Value, json};

use crate::documents::numbered;
use crate::{corpus, qpdf, rig};

/// What a document may be refused with: nothing keeps an engine busy to the limit of its time or memory.
const CLEAR: [JobErrorCode; 3] = [
    JobErrorCode::InputCorrupt,
    JobErrorCode::InputTooLarge,
    JobErrorCode::OutputTooLarge,
];
/// A plan with little time.
const LIMITS: JobLimits = JobLimits {
    pages: 50,
    ..rig::GENEROUS
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
        json!({"operation": "optimise"}),
        json!({"operation": "repair"}),
        json!({"operation": "flatten"}),
        json!({"operation": "extract-pages", "pages": "1"}),
        json!({"operation": "split", "every": 1}),
        json!({"operation": "watermark", "text": "DRAFT"}),
        json!({"operation": "metadata", "title": "Title"}),
    ]
    .map(read)
    .to_vec()
}

fn ends_clearly(name: &str, made: Result<rig::Made, engine::EngineError>) {
    match rig::code(made) {
        // What cannot be made smaller is the source itself, as it is.
        Ok(made) if made.warnings().contains(&"already_optimal") => {}
        Ok(made) if made.artifact.extension == "pdf" => qpdf::read(made.path()),
        Ok(_) => {}
        // No watermark has room on pages of such sides.
        Err(JobErrorCode::OutputInvalid) if name.starts_with("a page of") => {}
        Err(code) => assert!(CLEAR.contains(&code), "{name}: {code:?}"),
    }
}

fn everything_ends(name: &str, file: &Path) {
    end(name, file, steps());
    end_merged(name, file);
}

fn end(name: &str, file: &Path, steps: Vec<Operation>) {
    for step in steps {
        let name = format!("{name}: {}", step.name());
        let steps = std::slice::from_ref(&step);
        ends_clearly(&name, rig::run_within(file, Format::Pdf, steps, LIMITS));
    }
}

fn end_merged(name: &str, file: &Path) {
    let key = domain::id::SourceKey::mint(domain::timestamp::Timestamp(1), 1);
    let merge = Operation::Merge(MergeOptions {
        source_keys: vec![key],
    });
    let whole = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(whole.path(), numbered("whole", 1)).unwrap();
    let beside = [(file, Format::Pdf)];
    let merged = rig::run_beside((whole.path(), Format::Pdf), &beside, merge.clone(), LIMITS);
    ends_clearly(&format!("{name}: merged"), merged);
    let beside = [(whole.path(), Format::Pdf)];
    let merged = rig::run_beside((file, Format::Pdf), &beside, merge, LIMITS);
    ends_clearly(&format!("{name}: merged first"), merged);
}

#[test]
fn parts_and_altered_copies_end_in_every_operation() {
    let source = corpus::file("pdf-text/page-labels-and-outlines.pdf");
    let whole = std::fs::read(source).unwrap();
    let part = |length: usize| whole[..length].to_vec();
    let mut cases = vec![
        ("a quarter".to_owned(), part(whole.len() / 4)),
        ("half".to_owned(), part(whole.len() / 2)),
        ("all but a byte".to_owned(), part(whole.len() - 1)),
    ];
    cases.extend((1..=6).map(|seed| (format!("altered by {seed}"), altered(&whole, seed))));
    rig::each(cases, |(name, document)| {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), document).unwrap();
        everything_ends(&name, file.path());
    });
}

/// A copy in which one bit of each two thousandth byte or so is another.
fn altered(whole: &[u8], seed: u64) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    let mut state = seed;
    for _ in 0..whole.len() / 2_000 {
        // Knuth's multiplier: the same bits in each run.
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let place = (state >> 33) as usize;
        bytes[place % whole.len()] ^= 1 << (state >> 29 & 7);
    }
    bytes
}

#[test]
fn circles_end_in_every_operation() {
    let cases = circles::circles().into_iter().chain(circles::bombs());
    rig::each(cases.collect(), |(name, document)| {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), document).unwrap();
        everything_ends(name, file.path());
    });
}
