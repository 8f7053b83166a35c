//! OCR by ranges of pages, and pages that end the process that recognizes them.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use domain::format::Format;
use domain::ocr_part::{OcrPart, OcrRanges, PageSpan};
use domain::operation::{Languages, OcrMode, OcrOutput, Operation};
use engine::EngineError;
use serde_json::Value;

use super::{HIDDEN, LETTERS, SCAN, json, long_word, ocr, pages};
use crate::harness::{self, Converted};

/// Five pages, of which one has text and one an earlier text layer.
fn document() -> Vec<u8> {
    let hidden = format!("{HIDDEN} {SCAN}");
    pages(&[SCAN, LETTERS, &hidden, "", SCAN])
}

fn ranges() -> OcrRanges {
    let span = |first, last| PageSpan { first, last };
    OcrRanges {
        languages: Languages::default(),
        spans: vec![span(1, 2), span(3, 3), span(4, 5)],
    }
}

fn run_part(
    source: &Path,
    attachments: &[(&Path, Format)],
    step: &Operation,
    part: OcrPart,
) -> Result<Converted, EngineError> {
    let scratch = tempfile::tempdir().unwrap();
    let step = (step.clone(), &part);
    harness::run_part((source, Format::Pdf), attachments, step, scratch)
}

#[test]
fn ranges_make_the_same_result_as_the_whole_document() {
    let directory = tempfile::tempdir().unwrap();
    let source = directory.path().join("source.pdf");
    std::fs::write(&source, document()).unwrap();
    for output in [
        OcrOutput::Text,
        OcrOutput::Json,
        OcrOutput::Hocr,
        OcrOutput::Pdf,
    ] {
        let step = ocr("eng", output, OcrMode::Redo);
        let whole = run_part(&source, &[], &step, OcrPart::WholeOrRanges).unwrap();
        let ranges = ranges();
        let parts = ranges.spans.iter().map(|span| {
            let part = OcrPart::Pages {
                span: *span,
                languages: ranges.languages.clone(),
            };
            let part = run_part(&source, &[], &step, part).unwrap();
            assert_eq!(part.artifact.content_type, "application/gzip");
            assert_eq!(part.artifact.pages, span.count());
            assert_eq!(part.artifact.engine, whole.artifact.engine);
            part
        });
        let parts: Vec<Converted> = parts.collect();
        let files: Vec<_> = parts
            .iter()
            .map(|part| (part.path(), Format::Json))
            .collect();
        let assembled = run_part(&source, &files, &step, OcrPart::Assembly(ranges)).unwrap();
        assert_eq!(assembled.artifact.warnings, whole.artifact.warnings);
        assert_eq!(assembled.artifact.pages, 5);
        assert!(assembled.bytes() == whole.bytes(), "{output:?}");
    }
}

#[test]
fn a_document_that_is_too_long_for_a_run_has_ranges() {
    let directory = tempfile::tempdir().unwrap();
    let source = directory.path().join("source.pdf");
    let long = vec![SCAN; 400];
    std::fs::write(&source, pages(&long)).unwrap();
    let step = ocr("eng", OcrOutput::Text, OcrMode::SkipText);
    let found = run_part(&source, &[], &step, OcrPart::WholeOrRanges);
    let Err(EngineError::TooLong(ranges)) = found else {
        panic!("no ranges")
    };
    assert!(ranges.is_valid(400) && !ranges.is_valid(399), "{ranges:?}");
    assert_eq!(ranges.languages, Languages::default());
    let counts: Vec<u32> = ranges.spans.iter().map(|span| span.count()).collect();
    assert!(
        counts.iter().all(|count| (20..=300).contains(count)),
        "{counts:?}"
    );
}

#[test]
fn a_range_beyond_the_document_and_files_of_other_ranges_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let source = directory.path().join("source.pdf");
    std::fs::write(&source, document()).unwrap();
    let step = ocr("eng", OcrOutput::Text, OcrMode::SkipText);
    let read = |first, last| {
        let part = OcrPart::Pages {
            span: PageSpan { first, last },
            languages: Languages::default(),
        };
        run_part(&source, &[], &step, part)
    };
    assert!(matches!(read(4, 6), Err(EngineError::Service(_))));
    let (first, last) = (read(1, 2).unwrap(), read(4, 5).unwrap());
    let files = [&last, &last, &first].map(|part| (part.path(), Format::Json));
    let swapped = run_part(&source, &files, &step, OcrPart::Assembly(ranges()));
    assert!(matches!(swapped, Err(EngineError::Service(_))));
}

/// Kills the process that writes the journal whenever the second page is the last one that it started, until `is_done`.
fn kill_at_second_page(journal: &Path, is_done: &AtomicBool) -> usize {
    let (mut killed, mut length) = (0, 0);
    while !is_done.load(Ordering::Relaxed) {
        std::thread::sleep(Duration::from_millis(2));
        let Ok(text) = std::fs::read_to_string(journal) else {
            continue;
        };
        let started = text.lines().rev().find_map(|line| {
            let line: Value = serde_json::from_str(line).ok()?;
            line["Started"]["index"].as_u64()
        });
        if started == Some(1) && text.len() > length {
            length = text.len();
            killed += usize::from(kill_writer(journal));
        }
    }
    killed
}

/// Kills the process that has a file open; returns whether there is one.
fn kill_writer(file: &Path) -> bool {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let has_open = |process: &std::fs::DirEntry| {
        let open = std::fs::read_dir(process.path().join("fd"));
        open.is_ok_and(|open| {
            let mut links = open.flatten();
            links.any(|link| std::fs::read_link(link.path()).is_ok_and(|open| open == file))
        })
    };
    let writer = processes.into_iter().find(has_open);
    writer.is_some_and(|writer| {
        let number = writer.file_name();
        let killed = std::process::Command::new("kill")
            .arg("-KILL")
            .arg(number)
            .status();
        killed.unwrap().success()
    })
}

#[test]
fn a_page_that_ends_the_process_fails_alone() {
    let directory = tempfile::tempdir().unwrap();
    let source = directory.path().join("source.pdf");
    std::fs::write(&source, pages(&[SCAN, SCAN, SCAN, SCAN])).unwrap();
    let step = ocr("eng", OcrOutput::Json, OcrMode::SkipText);
    let scratch = tempfile::tempdir().unwrap();
    let journal = scratch.path().join("step-0/journal");
    let is_done = AtomicBool::new(false);
    let (killed, result) = std::thread::scope(|scope| {
        let killer = scope.spawn(|| kill_at_second_page(&journal, &is_done));
        let step = (step, &OcrPart::WholeOrRanges);
        let result = harness::run_part((&source, Format::Pdf), &[], step, scratch);
        is_done.store(true, Ordering::Relaxed);
        (killer.join().unwrap(), result.unwrap())
    });
    assert_eq!(killed, 2);
    let word = long_word();
    let found: Vec<bool> = json(&result)["pages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|page| page["text"].as_str().unwrap().contains(&word))
        .collect();
    assert_eq!(found, [true, false, true, true]);
    assert_eq!(result.warnings()[0], "pages_failed");
    assert_eq!(
        result.artifact.warnings[0].data["pages"],
        serde_json::json!([2])
    );
}
