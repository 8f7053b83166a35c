//! Sources of jobs: saved versions, web pages and attachments.

use domain::format::Format;
use domain::id::{DocumentId, SourceKey, VersionId};
use domain::job::{
    Attachment, Job, JobErrorCode, JobSource, JobStatus, RemoteSource, UploadedSource,
    VersionSource, WebPageSource,
};
use domain::operation::{MergeOptions, Operation};
use domain::processor::Processor;
use domain::source::{SourceUrl, result_object, upload_object, version_object};
use invocation::Source;
use serde_json::json;

use super::fixture::{EngineResult, EngineRun, Fixture, SOURCE, sha256, unreachable, uppercase};

const URL: &str = "https://files.example/second.pdf";

fn version(job: &Job, etag: &str) -> VersionSource {
    VersionSource {
        document: DocumentId::mint(job.created_at, 1),
        version: VersionId::mint(job.created_at, 2),
        etag: etag.to_owned(),
        size_bytes: SOURCE.len() as u64,
    }
}

fn object(job: &Job, source: &VersionSource) -> String {
    version_object(&job.account_id, &source.document, &source.version)
}

#[tokio::test]
async fn a_saved_version_is_fetched_by_its_etag() {
    let fixture = Fixture::new().await;
    let mut job = fixture.record().await;
    let name = object(&job, &version(&job, ""));
    let etag = fixture.fakes.put_object(&name, "text/plain", SOURCE);
    job.source = JobSource::Version(version(&job, &etag));
    fixture.fakes.put_job(job);
    fixture.handle(uppercase).await;
    assert_eq!(fixture.record().await.status, JobStatus::Completed);
    assert_eq!(fixture.stored(1).unwrap().1, b"THE WORDS OF THE SOURCE");
}

#[tokio::test]
async fn a_deleted_or_replaced_version_fails_the_job() {
    for body in [None, Some(b"another".as_slice())] {
        let fixture = Fixture::new().await;
        let mut job = fixture.record().await;
        let source = version(&job, "\"as accepted\"");
        if let Some(body) = body {
            let name = object(&job, &source);
            fixture.fakes.put_object(&name, "text/plain", body);
        }
        job.source = JobSource::Version(source);
        fixture.fakes.put_job(job);
        fixture.handle(uppercase).await;
        assert_failed(&fixture, JobErrorCode::SourceMissing, &[]).await;
    }
}

#[tokio::test]
async fn a_web_page_is_passed_to_the_engine_and_not_fetched() {
    let url = "https://pages.example/?token=secret";
    let fixture = Fixture::with(|job| {
        let web_page = SourceUrl::new(url);
        job.source = JobSource::WebPage(WebPageSource { web_page });
    })
    .await;
    let engine = move |run: &EngineRun<'_>| {
        let Source::WebPage { url: page } = &run.request.source else {
            panic!("not a web page");
        };
        assert_eq!(*page, SourceUrl::new(url));
        run.writes_pdf("THE PAGE")
    };
    fixture.handle(engine).await;
    assert_eq!(fixture.record().await.status, JobStatus::Completed);
    assert_eq!(fixture.stored(1).unwrap().1, b"THE PAGE");
}

async fn assert_failed(fixture: &Fixture, code: JobErrorCode, named: &[&str]) {
    let job = fixture.record().await;
    let error = job.error.unwrap();
    assert_eq!((job.status, error.code), (JobStatus::Failed, code));
    for value in named {
        assert!(error.message.contains(value), "{}", error.message);
    }
    assert_eq!(fixture.scratch_directories(), 0);
}

/// Creates a job that merges the source with an upload and a remote file.
async fn merge() -> Fixture {
    let fixture = Fixture::new().await;
    let mut job = fixture.record().await;
    let key = SourceKey::mint(job.created_at, 7);
    let name = upload_object(&job.account_id, &key);
    let etag = fixture.fakes.put_object(&name, "application/pdf", b"first");
    fixture.fakes.put_remote(URL, b"second");
    let attachment = |source| Attachment {
        step: 0,
        format: Format::Pdf,
        source,
    };
    let upload = UploadedSource {
        key,
        etag,
        size_bytes: 5,
    };
    let url = SourceUrl::new(URL);
    job.attachments = vec![
        attachment(JobSource::Upload(upload)),
        attachment(JobSource::Remote(RemoteSource { url })),
    ];
    job.input_format = Format::Pdf;
    job.processor = Processor::ProcessPdf;
    job.steps = vec![Operation::Merge(MergeOptions::default())];
    fixture.fakes.put_job(job);
    fixture
}

/// An engine that concatenates its files.
fn join(run: &EngineRun<'_>) -> EngineResult {
    let mut text = run.source()?;
    for attachment in &run.request.attachments {
        assert_eq!(attachment.format, Format::Pdf);
        assert!(attachment.step < run.request.steps.len());
    }
    for attached in run.attachments()? {
        text = format!("{text}, {attached}");
    }
    run.writes_pdf(&text)
}

#[tokio::test]
async fn attachments_are_passed_to_the_engine_in_order() {
    let fixture = merge().await;
    fixture.handle(join).await;
    assert_eq!(
        fixture.stored(1).unwrap().1,
        b"the words of the source, first, second"
    );
}

#[tokio::test]
async fn remote_sources_are_stored_under_the_attempt() {
    let fixture = merge().await;
    let mut job = fixture.record().await;
    let url = "https://files.example/first.pdf";
    fixture.fakes.put_remote(url, b"the first");
    let url = SourceUrl::new(url);
    job.source = JobSource::Remote(RemoteSource { url });
    fixture.fakes.put_job(job);
    fixture.handle(join).await;
    assert_eq!(fixture.stored(1).unwrap().1, b"the first, first, second");
    let object = |name: &str| {
        let name = result_object(&fixture.job.account_id, &fixture.job.id, 1, name);
        fixture.fakes.object(&name).map(|(_, bytes)| bytes)
    };
    assert_eq!(object("source"), Some(b"the first".to_vec()));
    assert_eq!(object("attachment-0"), None, "an upload");
    assert_eq!(object("attachment-1"), Some(b"second".to_vec()));
    let [(_, run)] = fixture.runs().try_into().unwrap();
    let Source::File(source) = run.source else {
        panic!("not a file");
    };
    assert_eq!(source.sha256, Some(sha256(b"the first")));
    let attached = run.attachments.into_iter();
    let attached: Vec<_> = attached.map(|one| one.file.sha256).collect();
    assert_eq!(attached, [None, Some(sha256(b"second"))]);
    assert_eq!(fixture.scratch_directories(), 0);
}

#[tokio::test]
async fn a_stored_remote_source_that_disappears_is_retried() {
    let fixture = merge().await;
    let (account, job) = (&fixture.job.account_id, &fixture.job.id);
    let stored = result_object(account, job, 1, "attachment-1");
    fixture
        .handle(move |run| {
            run.fakes.remove_object(&stored);
            join(run)
        })
        .await;
    assert_eq!(fixture.record().await.status, JobStatus::Retrying);
}

#[tokio::test]
async fn each_step_gets_only_its_own_attachments() {
    let fixture = merge().await;
    let mut job = fixture.record().await;
    let convert = Operation::read(&json!({"operation": "convert", "format": "pdf"}), "$");
    job.input_format = Format::Txt;
    job.processor = Processor::ProcessPipeline;
    job.steps.insert(0, convert.unwrap());
    job.steps.push(Operation::Merge(MergeOptions::default()));
    job.attachments[0].step = 1;
    job.attachments[1].step = 2;
    fixture.fakes.put_job(job);
    let engine = |run: &EngineRun<'_>| {
        let merges = matches!(run.request.steps[0], Operation::Merge(_));
        assert_eq!(run.request.attachments.len(), usize::from(merges));
        join(run)
    };
    fixture.handle(engine).await;
    assert_eq!(
        fixture.stored(1).unwrap().1,
        b"the words of the source, first, second"
    );
}

#[tokio::test]
async fn errors_of_attachments_name_them() {
    let fixture = merge().await;
    let mut job = fixture.record().await;
    if let JobSource::Upload(upload) = &mut job.attachments[0].source {
        upload.etag = "\"another\"".to_owned();
    }
    fixture.fakes.put_job(job);
    fixture.handle(join).await;
    assert_failed(&fixture, JobErrorCode::SourceMissing, &["Document 2"]).await;

    for (url, bytes, code) in [
        ("https://blocked.example/a", 0, JobErrorCode::FetchBlocked),
        ("https://files.example/none", 0, JobErrorCode::FetchFailed),
        ("https://files.example/a", 101, JobErrorCode::InputTooLarge),
    ] {
        let fixture = merge().await;
        let mut job = fixture.record().await;
        let url_of = SourceUrl::new(url);
        job.attachments[1].source = JobSource::Remote(RemoteSource { url: url_of });
        job.limits.file_bytes = 100;
        fixture.fakes.put_job(job);
        if bytes > 0 {
            fixture.fakes.put_remote(url, &vec![b'a'; bytes]);
        }
        fixture.handle(unreachable).await;
        assert_failed(&fixture, code, &["Document 3"]).await;
    }
}

#[tokio::test]
async fn files_over_the_size_limits_are_not_fetched() {
    let large = |size_bytes| {
        move |job: &mut Job| {
            let key = SourceKey::mint(job.created_at, 7);
            let upload = UploadedSource {
                key,
                etag: "\"gone\"".to_owned(),
                size_bytes,
            };
            job.attachments = vec![
                Attachment {
                    step: 0,
                    format: Format::Pdf,
                    source: JobSource::Upload(upload),
                };
                2
            ];
            job.steps = vec![Operation::Merge(MergeOptions::default())];
            job.limits.file_bytes = 600_000_000;
        }
    };
    for (size, named) in [
        (600_000_001, &["Document 2", "600000001"][..]),
        (600_000_000, &["1200000023"]),
    ] {
        let fixture = Fixture::with(large(size)).await;
        fixture.handle(unreachable).await;
        let error = fixture.record().await.error;
        assert!(error.is_some(), "{named:?}");
        assert_failed(&fixture, JobErrorCode::InputTooLarge, named).await;
    }
}
