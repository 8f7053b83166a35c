//! OCR of a document that is too long for one invocation.

use std::sync::atomic::{AtomicU32, Ordering};

use domain::format::Format;
use domain::job::{Job, JobErrorCode, JobStatus};
use domain::ocr_part::{OcrPart, OcrRanges, PAGES_EXTENSION, PAGES_MIME_TYPE, PageSpan};
use domain::operation::{Languages, Operation};
use domain::processor::Processor;
use invocation::{Interruption, Response, RunResult};
use serde_json::json;

use super::fixture::{End, EngineResult, EngineRun, Fixture, breaks, rejects};

/// The ranges of the document.
const SPANS: [(u32, u32); 3] = [(1, 60), (61, 120), (121, 150)];

fn ranges() -> OcrRanges {
    OcrRanges {
        languages: Languages::default(),
        spans: SPANS.map(|(first, last)| PageSpan { first, last }).to_vec(),
    }
}

/// A job that recognizes a PDF.
fn ocr(job: &mut Job) {
    let ocr = json!({"operation": "ocr", "output": "pdf"});
    job.steps = vec![Operation::read(&ocr, "$").unwrap()];
    job.processor = Processor::ProcessOcr;
    job.input_format = Format::Pdf;
    job.format = Format::Pdf;
}

fn too_long() -> EngineResult {
    Err(End::Responds(Response::TooLong(ranges())))
}

fn pages(run: &EngineRun<'_>, span: PageSpan) -> EngineResult {
    let text = format!("{}-{} ", span.first, span.last);
    let written = run.writes(PAGES_MIME_TYPE, PAGES_EXTENSION, text.as_bytes())?;
    Ok(RunResult {
        pages: span.count(),
        cpu_ms: 100,
        ..written
    })
}

/// Recognizes ranges, and writes the files of all as the result.
fn engine(run: &EngineRun<'_>) -> EngineResult {
    match &run.request.part {
        Some(OcrPart::WholeOrRanges) => too_long(),
        Some(OcrPart::Pages { span, .. }) => pages(run, *span),
        Some(OcrPart::Assembly(found)) => {
            assert_eq!(*found, ranges());
            run.writes_pdf(&run.attachments()?.concat())
        }
        None => panic!("the run has no part"),
    }
}

/// Counts the runs that recognize ranges.
fn recognized(fixture: &Fixture) -> Vec<u32> {
    let runs = fixture.runs().into_iter();
    let mut first: Vec<u32> = runs
        .filter_map(|(_, run)| match run.part {
            Some(OcrPart::Pages { span, .. }) => Some(span.first),
            _ => None,
        })
        .collect();
    first.sort_unstable();
    first
}

#[tokio::test]
async fn ranges_are_recognized_by_themselves_and_assembled_in_order() {
    let fixture = Fixture::with(ocr).await;
    fixture.handle(engine).await;
    let job = fixture.record().await;
    assert_eq!(job.status, JobStatus::Completed, "{:?}", job.error);
    let (content_type, bytes) = fixture.stored(1).unwrap();
    assert_eq!(content_type, super::fixture::PDF);
    assert_eq!(bytes, b"1-60 61-120 121-150 ");
    assert_eq!(recognized(&fixture), [1, 61, 121]);
}

#[tokio::test(start_paused = true)]
async fn an_attempt_without_time_is_continued_from_the_ranges_it_has_and_does_not_count() {
    let fixture = Fixture::with(ocr).await;
    // The last range is never finished in the first attempt.
    fixture
        .handle(|run| match &run.request.part {
            Some(OcrPart::Pages { span, .. }) if span.first == 121 => {
                Err(End::Responds(Response::Interrupted(Interruption::TimedOut)))
            }
            _ => engine(run),
        })
        .await;
    let job = fixture.record().await;
    assert_eq!((job.status, job.attempt), (JobStatus::Retrying, 1));
    assert_eq!((job.attempt_limit, job.progress), (6, 63));
    assert!(
        !fixture
            .published()
            .contains(&domain::event::EventType::JobRetrying)
    );
    fixture.handle(engine).await;
    let job = fixture.record().await;
    assert_eq!((job.status, job.attempt), (JobStatus::Completed, 2));
    assert_eq!(fixture.stored(2).unwrap().1, b"1-60 61-120 121-150 ");
    assert_eq!(recognized(&fixture), [1, 61, 121, 121]);
}

#[tokio::test]
async fn further_steps_follow_the_assembled_document() {
    let with_text = |job: &mut Job| {
        ocr(job);
        let convert = json!({"operation": "convert", "format": "txt"});
        job.steps.push(Operation::read(&convert, "$").unwrap());
        job.format = Format::Txt;
    };
    let fixture = Fixture::with(with_text).await;
    fixture
        .handle(|run| match run.request.steps.as_slice() {
            [Operation::Convert(_)] => {
                let text = run.source()?.replace(' ', "/");
                run.writes(Format::Txt.mime_type(), "txt", text.as_bytes())
            }
            _ => engine(run),
        })
        .await;
    let job = fixture.record().await;
    assert_eq!(job.status, JobStatus::Completed, "{:?}", job.error);
    assert_eq!(fixture.stored(1).unwrap().1, b"1-60/61-120/121-150/");
}

#[tokio::test]
async fn an_attempt_that_keeps_nothing_counts() {
    let fixture = Fixture::with(ocr).await;
    let fails = |run: &EngineRun<'_>| match &run.request.part {
        Some(OcrPart::WholeOrRanges) => too_long(),
        _ => Err(breaks()),
    };
    fixture.handle(fails).await;
    let job = fixture.record().await;
    assert_eq!((job.status, job.attempt_limit), (JobStatus::Retrying, 5));
    assert_eq!(job.progress, 0);
}

#[tokio::test]
async fn a_document_error_of_a_range_fails_the_job() {
    let fixture = Fixture::with(ocr).await;
    fixture
        .handle(|run| match &run.request.part {
            Some(OcrPart::Pages { .. }) => Err(rejects(JobErrorCode::InputCorrupt)),
            _ => engine(run),
        })
        .await;
    let job = fixture.record().await;
    assert_eq!(job.status, JobStatus::Failed);
    assert_eq!(job.error.unwrap().code, JobErrorCode::InputCorrupt);
    assert!(fixture.refund().is_some());
}

#[tokio::test]
async fn ranges_that_do_not_fit_are_not_used() {
    for (pages, extension) in [(59, PAGES_EXTENSION), (60, "pdf")] {
        let fixture = Fixture::with(ocr).await;
        fixture
            .handle(move |run| match &run.request.part {
                Some(OcrPart::Pages { .. }) => Ok(RunResult {
                    pages,
                    ..run.writes(PAGES_MIME_TYPE, extension, b"x")?
                }),
                _ => engine(run),
            })
            .await;
        assert_eq!(fixture.record().await.status, JobStatus::Retrying);
    }
    let fixture = Fixture::with(|job| {
        ocr(job);
        job.limits.pages = 149;
    })
    .await;
    fixture.handle(engine).await;
    assert_eq!(fixture.record().await.status, JobStatus::Retrying);
    assert!(recognized(&fixture).is_empty());
}

#[tokio::test]
async fn a_lost_range_is_recognized_again() {
    let fixture = Fixture::with(ocr).await;
    static ASSEMBLIES: AtomicU32 = AtomicU32::new(0);
    let engine = |run: &EngineRun<'_>| match &run.request.part {
        Some(OcrPart::Assembly(_)) if ASSEMBLIES.fetch_add(1, Ordering::Relaxed) == 0 => {
            Err(breaks())
        }
        _ => engine(run),
    };
    fixture.handle(engine).await;
    assert_eq!(fixture.record().await.status, JobStatus::Retrying);
    for name in fixture.fakes.stored_step_artifacts() {
        fixture.fakes.remove_object(&name);
    }
    let mut job = fixture.record().await;
    job.not_before = None;
    fixture.fakes.put_job(job);
    fixture.handle(engine).await;
    assert_eq!(fixture.record().await.status, JobStatus::Completed);
    assert_eq!(recognized(&fixture), [1, 1, 61, 61, 121, 121]);
}

#[tokio::test]
async fn ranges_of_another_engine_are_not_kept() {
    let fixture = Fixture::with(ocr).await;
    fixture
        .handle(|run| match &run.request.part {
            Some(OcrPart::Pages { span, .. }) if span.first == 121 => Err(breaks()),
            Some(OcrPart::Pages { span, .. }) => Ok(RunResult {
                engine: "uppercase 2".to_owned(),
                ..pages(run, *span)?
            }),
            _ => engine(run),
        })
        .await;
    let job = fixture.record().await;
    assert_eq!((job.status, job.attempt_limit), (JobStatus::Retrying, 5));
    assert!(fixture.fakes.stored_step_artifacts().is_empty());
}

#[tokio::test]
async fn a_document_that_changes_in_each_attempt_is_not_continued_forever() {
    let fixture = Fixture::with(|job| {
        ocr(job);
        job.status = JobStatus::Retrying;
        job.attempt = 8;
        job.attempt_limit = 9;
    })
    .await;
    fixture
        .handle(|run| match &run.request.part {
            Some(OcrPart::Pages { span, .. }) if span.first == 121 => Err(breaks()),
            _ => engine(run),
        })
        .await;
    let job = fixture.record().await;
    assert_eq!((job.status, job.attempt), (JobStatus::Retrying, 9));
    assert_eq!(job.attempt_limit, 9);
}

#[tokio::test]
async fn a_range_has_no_ranges() {
    let fixture = Fixture::with(ocr).await;
    fixture.handle(|_| too_long()).await;
    assert_eq!(fixture.record().await.status, JobStatus::Retrying);
    assert_eq!(recognized(&fixture), [1, 61, 121]);
}
