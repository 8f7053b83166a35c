//! Inspections of documents.

use std::time::Duration;

use domain::format::Format;
use domain::job::{DocumentResult, JobErrorCode, JobLimits, JobStatus};
use domain::library::{Document, Inspection, InspectionTerms, Page, Version, page_id};
use domain::operation::{NoOptions, Operation};
use domain::plan::Plan;
use domain::ports::{Jobs as _, Library as _};
use domain::processor::Processor;
use domain::source::pages_object;
use testkit::{Environment as _, Fakes, sample};

use super::{on_document, removal, stored_document, writes};
use crate::tests::fixture::{Fixture, PDF, poll_ready, rejects};

/// Creates a fixture whose job inspects a version.
async fn inspection_fixture() -> (Fixture, Document, Version) {
    on_document(|job, work| {
        job.steps = vec![Operation::Info(NoOptions {})];
        job.format = Format::Json;
        work.result = DocumentResult::Pages;
    })
    .await
}

fn sizes(count: u32) -> &'static [u8] {
    let page = |number| format!(r#"{{"number": {number}, "width": {number}.5, "height": 842}}"#);
    let pages: Vec<_> = (1..=count).map(page).collect();
    let json = format!(r#"{{"format": "pdf", "pageSizes": [{}]}}"#, pages.join(","));
    json.into_bytes().leak()
}

#[tokio::test]
async fn an_inspection_writes_the_pages_and_publishes_no_events() {
    for (count, has_pages_object) in [(2, false), (100, false), (101, true)] {
        let (fixture, document, version) = inspection_fixture().await;
        fixture
            .handle(writes("application/json", "json", sizes(count)))
            .await;
        let (changed, versions) = stored_document(&fixture, &document).await;
        assert_eq!(
            changed, document,
            "an inspection does not change the document"
        );
        assert_eq!(versions[0].page_count, Some(count));
        let last = count.min(100);
        let pages: Vec<Page> = versions[0].pages(last, 1).collect();
        assert_eq!(Some(&pages[0].id), page_id(&version.id, last).as_ref());
        assert_eq!(
            pages[0].size.map(|size| size.width),
            Some(f64::from(last) + 0.5)
        );
        let object = pages_object(&document.account_id, &document.id, &version.id);
        assert_eq!(
            fixture.fakes.object(&object).is_some(),
            has_pages_object,
            "{count}"
        );
        assert_eq!(fixture.record().await.status, JobStatus::Completed);
        assert_eq!(fixture.published(), []);
    }
}

#[tokio::test]
async fn a_failed_inspection_publishes_no_events() {
    let (fixture, document, version) = inspection_fixture().await;
    fixture
        .handle(|_| Err(rejects(JobErrorCode::InputCorrupt)))
        .await;
    let job = fixture.record().await;
    assert_eq!((job.status, job.refunded), (JobStatus::Failed, false));
    assert_eq!((fixture.published(), fixture.refund()), (vec![], None));
    let (_, versions) = stored_document(&fixture, &document).await;
    assert_eq!(versions, [version]);
    let jobs = fixture
        .fakes
        .jobs(&document.account_id, None, None, 10)
        .await;
    assert!(jobs.unwrap().jobs.iter().all(|listed| listed.id != job.id));
}

#[tokio::test]
async fn an_inspection_of_a_deleted_document_leaves_nothing() {
    let (fixture, document, version) = inspection_fixture().await;
    let removal = removal(&fixture, &document);
    let fakes = fixture.fakes.clone();
    fixture
        .handle(move |run| {
            poll_ready(fakes.remove_document(&removal)).unwrap();
            poll_ready(fakes.purge(&removal, false)).unwrap();
            writes("application/json", "json", sizes(101))(run)
        })
        .await;
    assert_eq!(fixture.record().await.status, JobStatus::Completed);
    let object = pages_object(&document.account_id, &document.id, &version.id);
    assert!(fixture.fakes.object(&object).is_none());
}

#[test]
fn only_formats_with_pages_are_inspected() {
    let fakes = Fakes::new();
    let account = sample::account(&fakes, Plan::Free);
    let start = sample::library::import(&fakes, &account, None, fakes.now());
    let (_, version) = sample::library::imported_document(&start.import, "a");
    let terms = || InspectionTerms {
        limits: JobLimits::from(account.plan.limits()),
        kept: Duration::from_secs(60),
        result_days: 7,
        traceparent: None,
    };
    for (content_type, processor) in [
        (PDF, Some(Processor::ProcessPdf)),
        ("image/tiff", Some(Processor::ProcessImage)),
        ("text/plain", None),
        ("application/zip", None),
        ("image/svg+xml", None),
    ] {
        let version = Version {
            content_type: content_type.to_owned(),
            ..version.clone()
        };
        let inspection = Inspection::of_version(&version, terms(), fakes.now());
        assert_eq!(
            inspection.map(|inspection| inspection.job.processor),
            processor,
            "{content_type}"
        );
    }
}
