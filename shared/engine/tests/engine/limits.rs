//! What is too large is refused before it is worked on, and work can be stopped.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use domain::format::Format;
use domain::job::{JobErrorCode, JobLimits};
use engine::EngineError;

use crate::documents::pdf;
use crate::{corpus, rig};

#[test]
fn a_file_above_the_plan_is_refused() {
    let source = corpus::file("docx/text-box.docx");
    let limits = JobLimits {
        file_bytes: 15_849,
        ..rig::GENEROUS
    };
    let refused = rig::run_within(&source, Format::Docx, &[rig::convert(Format::Pdf)], limits);
    assert_eq!(rig::code(refused).err(), Some(JobErrorCode::InputTooLarge));
}

#[test]
fn a_document_that_becomes_more_pages_than_the_plan_allows_is_refused() {
    let source = corpus::file("docx/pages_12.docx");
    let within = |pages| rig::refused_within(&source, Format::Docx, pages);
    assert_eq!(within(12), None);
    assert_eq!(within(11), Some(JobErrorCode::TooManyPages));
}

/// A PDF with one page of these sides in points.
fn page(side: u32) -> Vec<u8> {
    pdf(&[
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        format!("<</Type/Page/Parent 2 0 R/MediaBox[0 0 {side} {side}]>>"),
    ])
}

#[test]
fn a_page_that_makes_too_many_pixels_is_refused_as_picture_and_not_as_text() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), page(4_900)).unwrap();
    let to = |format| rig::code(rig::run(file.path(), Format::Pdf, &[rig::convert(format)])).err();
    assert_eq!(to(Format::Png), Some(JobErrorCode::InputTooLarge));
    assert_eq!(to(Format::Txt), None);
    std::fs::write(file.path(), page(100)).unwrap();
    assert_eq!(to(Format::Png), None);
}

#[test]
fn work_stops_when_the_caller_says_so() {
    let stop = AtomicBool::new(false);
    let started = Instant::now();
    let source = corpus::file("xlsx/PerformanceArabic.xlsx");
    let result = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(300));
            stop.store(true, Ordering::Relaxed);
        });
        rig::run_until(
            &source,
            Format::Xlsx,
            &[rig::convert(Format::Pdf)],
            rig::GENEROUS,
            &stop,
        )
    });
    assert!(matches!(result, Err(EngineError::Stopped)));
    assert!(started.elapsed() < Duration::from_secs(5));
}
