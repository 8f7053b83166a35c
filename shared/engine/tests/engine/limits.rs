//! Oversized input is rejected before processing, and processing can be stopped.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use domain::format::Format;
use domain::job::{JobErrorCode, JobLimits};
use engine::EngineError;

use crate::sample_documents::pdf;
use crate::{corpus, harness};

#[test]
fn file_above_the_plan_limit_is_rejected() {
    let source = corpus::file("docx/text-box.docx");
    let limits = JobLimits {
        file_bytes: 15_849,
        ..harness::GENEROUS
    };
    let rejected = harness::run_within(
        &source,
        Format::Docx,
        &[harness::convert(Format::Pdf)],
        limits,
    );
    assert_eq!(
        harness::code(rejected).err(),
        Some(JobErrorCode::InputTooLarge)
    );
}

#[test]
fn documents_above_the_page_limit_are_rejected() {
    let source = corpus::file("docx/pages_12.docx");
    let within = |pages| harness::rejection_code_within(&source, Format::Docx, pages);
    assert_eq!(within(12), None);
    assert_eq!(within(11), Some(JobErrorCode::TooManyPages));
}

/// A PDF with one word on a square page; `side` in points.
fn page(side: u32) -> Vec<u8> {
    let contents = "BT/F 12 Tf 20 20 Td(Word)Tj ET";
    let resources = "<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>";
    pdf(&[
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 {side} {side}]/Contents 4 0 R/Resources{resources}>>"
        ),
        format!(
            "<</Length {}>>stream\n{contents}\nendstream",
            contents.len()
        ),
    ])
}

#[test]
fn an_oversized_page_is_scaled_down_for_images() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), page(4_900)).unwrap();
    let warns = |format| {
        let made = harness::run(file.path(), Format::Pdf, &[harness::convert(format)]).unwrap();
        made.warnings().contains(&"limited_by_size")
    };
    assert!(warns(Format::Png));
    assert!(!warns(Format::Txt));
    std::fs::write(file.path(), page(100)).unwrap();
    assert!(!warns(Format::Png));
}

#[test]
fn work_stops_when_the_stop_flag_is_set() {
    let stop = AtomicBool::new(false);
    let started = Instant::now();
    let source = corpus::file("xlsx/PerformanceArabic.xlsx");
    let result = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(300));
            stop.store(true, Ordering::Relaxed);
        });
        harness::run_until(
            &source,
            Format::Xlsx,
            &[harness::convert(Format::Pdf)],
            harness::GENEROUS,
            &stop,
        )
    });
    assert!(matches!(result, Err(EngineError::Stopped)));
    assert!(started.elapsed() < Duration::from_secs(5));
}
