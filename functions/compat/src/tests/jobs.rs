//! Jobs that the routes create from valid bodies.

use std::time::Duration;

use contract::compat::MAX_INLINE_RESULT_BYTES;
use domain::format::Format;
use domain::job::{JobSource, JobStatus};
use domain::operation::Operation;
use domain::plan::Plan;
use domain::processor::Processor;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::worker::{JobOutcome, Worker};
use super::{Caller, by_url, job_id};

const SOON: Duration = Duration::from_millis(300);

#[tokio::test(start_paused = true)]
async fn uploads_return_the_job_without_waiting() {
    let caller = Caller::on(Plan::Starter).await;
    let docx = Format::Docx.mime_type();
    let forms = [
        (
            "/convert",
            json!({"sourceKey": caller.upload(docx), "format": "PDF", "colour": "red"}),
        ),
        (
            "/ocr",
            json!({"sourceKey": caller.upload("image/png"), "format": "json", "language": "de"}),
        ),
        (
            "/compress",
            json!({"sourceKey": caller.upload("image/png"), "format": "webp", "quality": 70}),
        ),
        (
            "/compress",
            json!({"sourceKey": caller.upload("application/pdf"), "quality": 70}),
        ),
        (
            "/pdf",
            json!({"operation": "split", "sourceKeys": [caller.upload("application/pdf")], "every": 2}),
        ),
    ];
    for (index, (path, body)) in forms.into_iter().enumerate() {
        let key = format!("at-once-{index}");
        let headers = [("idempotency-key", key.as_str())];
        let started = Instant::now();
        let response = caller.post(path, &headers, &body).await;
        assert_eq!(response.status, 202, "{path}: {response:?}");
        let id = job_id(&response);
        assert_eq!(response.json()["status"], "queued");
        assert_eq!(response.json()["created"], true);
        assert_eq!(response.header("location"), format!("/api/v1/jobs/{id}"));
        let again = caller.post(path, &headers, &body).await;
        assert_eq!(started.elapsed(), Duration::ZERO, "{path}");
        assert_eq!(again.status, 200, "{path}");
        assert_eq!(again.json()["jobId"], id.as_str());
        assert_eq!(again.json()["created"], false);
        assert_eq!(again.header("idempotency-replayed"), "true");
    }
    let jobs = caller.jobs().await;
    let done: Vec<_> = jobs
        .iter()
        .map(|job| {
            (
                job.operation(),
                job.processor,
                job.format,
                job.charge.credits,
            )
        })
        .collect();
    assert_eq!(
        done,
        [
            ("convert", Processor::ProcessOffice, Format::Pdf, 2),
            ("ocr", Processor::ProcessOcr, Format::Json, 3),
            ("compress", Processor::ProcessImage, Format::Webp, 1),
            ("optimize", Processor::ProcessPdf, Format::Pdf, 1),
            ("split", Processor::ProcessPdf, Format::Pdf, 1),
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn the_format_of_a_url_comes_from_input_format_filename_or_path() {
    let caller = Caller::on(Plan::Starter).await;
    let url = |path: &str| format!("https://files.octavo-tests.com/{path}");
    for (body, input, name) in [
        (
            json!({"url": url("a%20b.docx?x=y.odt")}),
            Format::Docx,
            "a b.docx",
        ),
        (
            json!({"url": url("a.docx"), "filename": "b.odt"}),
            Format::Odt,
            "b.odt",
        ),
        (
            json!({"url": url("a.docx"), "filename": "b"}),
            Format::Docx,
            "b",
        ),
        (
            json!({"url": url("a.docx"), "inputFormat": "rtf"}),
            Format::Rtf,
            "a.docx",
        ),
        (json!({"url": url("a.dotm")}), Format::Docx, "a.dotm"),
        (
            json!({"url": url("a"), "inputFormat": "XLSM"}),
            Format::Xlsx,
            "a",
        ),
        (
            json!({"url": url(""), "inputFormat": "rtf"}),
            Format::Rtf,
            "document",
        ),
    ] {
        let mut body = body;
        body["format"] = json!("pdf");
        let response = caller
            .post("/convert", &[("prefer", "respond-async")], &body)
            .await;
        assert_eq!(response.status, 202, "{body}: {response:?}");
        let job = caller.jobs().await.pop().unwrap();
        assert_eq!(
            (job.input_format, job.filename.as_str()),
            (input, name),
            "{body}"
        );
    }
    let unknown_format = json!({"url": url("download?id=7"), "format": "pdf"});
    let response = caller.post("/convert", &[], &unknown_format).await;
    let expected = (
        422,
        "unsupported_conversion".to_owned(),
        "$.inputFormat".to_owned(),
    );
    assert_eq!(response.error(), expected);
    let never_written = json!({"url": url("a.docx"), "format": "docm"});
    let response = caller.post("/convert", &[], &never_written).await;
    assert_eq!(response.error().2, "$.format");
}

#[tokio::test(start_paused = true)]
async fn recognized_text_is_returned_as_json() {
    let caller = Caller::on(Plan::Starter).await;
    let text = "Grüße\n\"quoted\"\u{c}";
    let outcome = JobOutcome::Completed {
        content_type: "text/plain",
        bytes: text.into(),
        pages: 3,
    };
    let _worker = Worker::start(&caller.fakes, SOON, outcome);
    for (language, expected) in [(Some("pt-BR"), "pt-BR"), (None, "deu")] {
        let mut body =
            json!({"url": "https://files.octavo-tests.com/scan.pdf", "filename": "scan.pdf"});
        if let Some(language) = language {
            body["language"] = json!(language);
        }
        let response = caller.post("/ocr", &[], &body).await;
        assert_eq!(response.status, 200, "{response:?}");
        assert_eq!(response.header("content-type"), "application/json");
        assert_eq!(
            response.json(),
            json!({"text": text, "pages": 3, "language": expected})
        );
    }
    let jobs = caller.jobs().await;
    assert_eq!(jobs[0].charge.credits, 3);
    let Operation::Ocr(options) = &jobs[0].steps[0] else {
        panic!("{:?}", jobs[0].steps);
    };
    assert_eq!(options.language.as_ref().unwrap().as_str(), "por");
}

#[tokio::test(start_paused = true)]
async fn text_too_long_as_json_is_a_redirect() {
    let caller = Caller::on(Plan::Starter).await;
    // Within the limit as a file, but not as JSON with escaped quotes.
    let bytes = vec![b'"'; usize::try_from(MAX_INLINE_RESULT_BYTES).unwrap() / 2 + 1];
    let outcome = JobOutcome::Completed {
        content_type: "text/plain",
        bytes,
        pages: 1,
    };
    let _worker = Worker::start(&caller.fakes, SOON, outcome);
    let body = json!({"url": "https://files.octavo-tests.com/scan.pdf"});
    let response = caller.post("/ocr", &[], &body).await;
    assert_eq!(response.status, 303);
    assert!(!response.header("location").is_empty());
}

#[tokio::test(start_paused = true)]
async fn urls_are_merged_in_order() {
    let caller = Caller::on(Plan::Starter).await;
    let _worker = Worker::start(&caller.fakes, SOON, JobOutcome::pdf("%PDF-1.7"));
    let urls: Vec<String> = (0..20)
        .map(|number| format!("https://files.octavo-tests.com/{number}"))
        .collect();
    let response = caller.post("/merge", &[], &json!({"files": urls})).await;
    assert_eq!(response.status, 200, "{response:?}");
    assert_eq!(response.bytes, b"%PDF-1.7");
    assert!(
        response
            .header("content-disposition")
            .contains("merged.pdf")
    );
    let job = caller.only_job().await;
    assert_eq!((job.charge.credits, job.operation()), (1, "merge"));
    let others = job.attachments.iter().map(|other| {
        assert_eq!((other.step, other.format), (0, Format::Pdf));
        &other.source
    });
    let fetched: Vec<&str> = std::iter::once(&job.source)
        .chain(others)
        .map(address)
        .collect();
    assert_eq!(fetched, urls);
}

fn address(source: &JobSource) -> &str {
    match source {
        JobSource::Remote(remote) => remote.url.reveal(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn uploads_are_merged_in_order() {
    let caller = Caller::on(Plan::Starter).await;
    let keys: Vec<String> = (0..3).map(|_| caller.upload("application/pdf")).collect();
    let body = json!({"operation": "merge", "sourceKeys": keys, "filename": "all.pdf"});
    let response = caller.post("/pdf", &[], &body).await;
    assert_eq!(response.status, 202, "{response:?}");
    let job = caller.only_job().await;
    assert_eq!(job.filename.as_str(), "all.pdf");
    let others = job.attachments.iter().map(|other| &other.source);
    let read: Vec<String> = std::iter::once(&job.source)
        .chain(others)
        .map(|source| match source {
            JobSource::Upload(upload) => upload.key.to_string(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(read, keys);
}

#[tokio::test(start_paused = true)]
async fn every_pdf_operation_is_accepted() {
    let caller = Caller::on(Plan::Business).await;
    for (operation, options) in [
        ("optimisation", json!({"level": "small"})),
        ("optimise", json!({"linearize": true})),
        ("optimization", json!({"level": "lossless"})),
        ("compress", json!({"quality": 50})),
        ("split", json!({"ranges": ["1-2", "4"]})),
        ("extract-pages", json!({"pages": "1-4"})),
        ("delete-pages", json!({"pages": "last"})),
        ("reorder", json!({"order": [2, 1]})),
        ("rotate", json!({"angle": 90, "pages": "1"})),
        ("encrypt", json!({"userPassword": "secret"})),
        ("decrypt", json!({"password": "secret"})),
        ("watermark", json!({"text": "draft"})),
        ("page-numbers", json!({})),
        ("metadata", json!({"title": "A title"})),
        ("fill", json!({"fields": {"name": "value"}})),
        ("sanitize", json!({})),
        ("flatten", json!({})),
        ("pdfa", json!({"level": "3b"})),
        ("repair", json!({})),
        ("info", json!({})),
    ] {
        let mut body =
            json!({"operation": operation, "sourceKeys": [caller.upload("application/pdf")]});
        merge(&mut body, options);
        let response = caller.post("/pdf", &[], &body).await;
        assert_eq!(response.status, 202, "{operation}: {response:?}");
        let job = caller.jobs().await.pop().unwrap();
        assert_eq!((job.status, job.charge.credits), (JobStatus::Queued, 1));
        assert_eq!((job.steps.len(), job.input_format), (1, Format::Pdf));
    }
}

fn merge(body: &mut Value, more: Value) {
    let Value::Object(more) = more else {
        panic!("{more}");
    };
    body.as_object_mut().unwrap().extend(more);
}

#[tokio::test(start_paused = true)]
async fn idempotency_keys_are_scoped_to_the_route() {
    let caller = Caller::on(Plan::Starter).await;
    let key = [
        ("idempotency-key", "one-for-all"),
        ("prefer", "respond-async"),
    ];
    let body = json!({"url": "https://files.octavo-tests.com/scan.pdf", "format": "text"});
    for path in ["/convert", "/ocr"] {
        assert_eq!(caller.post(path, &key, &body).await.status, 202, "{path}");
    }
    assert_eq!(caller.jobs().await.len(), 2);
    let without_key = [("prefer", "respond-async")];
    for _ in 0..2 {
        assert_eq!(
            caller
                .post("/convert", &without_key, &by_url())
                .await
                .status,
            202
        );
    }
    assert_eq!(caller.jobs().await.len(), 4);
}
