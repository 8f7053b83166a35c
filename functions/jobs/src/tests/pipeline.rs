//! `POST /pipeline`.

use std::sync::Arc;

use domain::id::{DocumentId, VersionId};
use domain::job::{DocumentResult, DocumentWork, Job, StepStatus};
use domain::library::Document;
use domain::plan::Plan;
use domain::ports::{Jobs as _, Queues as _};
use domain::processor::Processor;
use domain::scope::Scope;
use domain::source::upload_object;
use serde_json::{Value, json};
use testkit::sample;

use super::{Caller, TestResponse};

const DOCX: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const UNKNOWN_SOURCE: &str = "src_01arz3ndektsv4rrffq69g5fav";
const UNKNOWN_DOCUMENT: &str = "doc_01arz3ndektsv4rrffq69g5fav";
const UNKNOWN_VERSION: &str = "ver_01arz3ndektsv4rrffq69g5fav";
const KEY: &str = "pipeline-key";

/// A request body with two steps for a DOCX.
fn body(caller: &Caller) -> Value {
    json!({
        "sourceKey": caller.upload(DOCX),
        "steps": [
            {"operation": "convert", "format": "pdf"},
            {"operation": "ocr", "mode": "force", "output": "pdf"},
        ],
    })
}

async fn post(caller: &Caller, body: &Value) -> TestResponse {
    caller.post("/pipeline", Some(KEY), body).await
}

async fn job(caller: &Caller, response: &TestResponse) -> Job {
    let id = response.text("jobId").parse().unwrap();
    caller.fakes.job(&id).await.unwrap().unwrap()
}

/// Saves a document with one version.
fn saved(caller: &Caller) -> (Document, VersionId) {
    let now = runtime::clock::now();
    let start = sample::library::import(caller.fakes.as_ref(), &caller.account, None, now);
    let (document, version) = sample::library::imported_document(&start.import, "saved.pdf");
    let id = version.id.clone();
    caller.fakes.put_document(document.clone(), version);
    (document, id)
}

/// Asserts that the request is rejected and uses no credits.
async fn assert_rejected(caller: &Caller, body: &Value, status: u16, code: &str) -> TestResponse {
    let before = caller.used().await;
    let response = post(caller, body).await;
    assert_eq!(response.error(), (status, code), "{}", response.body);
    assert_eq!(caller.used().await, before);
    assert_eq!(caller.fakes.sent(), []);
    response
}

#[tokio::test]
async fn a_pipeline_is_accepted_for_the_sum_of_its_steps() {
    let caller = Caller::on(Plan::Pro).await;
    let response = post(&caller, &body(&caller)).await;
    assert_eq!(response.status, 202, "{}", response.body);
    let id = response.text("jobId");
    let expected = json!({
        "jobId": id, "status": "queued", "created": true, "processor": "process-pipeline",
        "statusUrl": format!("/api/v1/jobs/{id}"), "resultUrl": format!("/api/v1/jobs/{id}/result"),
    });
    assert_eq!(response.body, expected);
    assert_eq!(response.headers["location"], format!("/api/v1/jobs/{id}"));
    assert_eq!(response.headers["retry-after"], "1");

    let job = job(&caller, &response).await;
    assert_eq!((job.charge.credits, caller.used().await), (5, 5));
    assert_eq!(job.filename.as_str(), "document.docx");
    let runs: Vec<_> = job.step_runs.iter().collect();
    assert_eq!(runs.len(), 2);
    assert!(runs.iter().all(|run| run.status == StepStatus::Waiting));
    assert_eq!((job.document, job.attachments), (None, vec![]));
    let sent = caller.fakes.sent();
    assert_eq!(sent.len(), 1);
    assert_eq!(sent[0].processor, Processor::ProcessPipeline);
}

#[tokio::test]
async fn a_single_step_is_a_valid_pipeline() {
    let caller = Caller::on(Plan::Pro).await;
    let mut body = body(&caller);
    body["steps"].as_array_mut().unwrap().pop();
    body["filename"] = json!("Bericht März.docx");
    let response = post(&caller, &body).await;
    let job = job(&caller, &response).await;
    assert_eq!(job.processor, Processor::ProcessPipeline);
    assert_eq!((job.charge.credits, job.step_runs.len()), (2, 1));
    assert_eq!(job.filename.as_str(), "Bericht März.docx");
}

#[tokio::test]
async fn a_replay_returns_the_job_although_source_and_processor_are_unavailable() {
    let caller = Caller::on(Plan::Pro).await;
    let (document, _) = saved(&caller);
    let mut body = body(&caller);
    body["documentId"] = json!(document.id);
    let first = post(&caller, &body).await;
    assert_eq!(first.status, 202, "{}", first.body);
    let mut expected = first.body.clone();
    expected["created"] = json!(false);

    let again = post(&caller, &body).await;
    assert_eq!((again.status, &again.body), (200, &expected));
    assert_eq!(again.headers["idempotency-replayed"], "true");
    assert!(!again.headers.contains_key("retry-after"));

    let source = body["sourceKey"].as_str().unwrap().parse().unwrap();
    let object = upload_object(&caller.account.id, &source);
    caller.fakes.remove_object(&object);
    let again = post(&caller, &body).await;
    assert_eq!((again.status, &again.body), (200, &expected));
    let off = caller.fakes.set_enabled(Processor::ProcessPipeline, false);
    off.await.unwrap();
    let again = post(&caller, &body).await;
    assert_eq!((again.status, &again.body), (200, &expected));
    assert_eq!((caller.used().await, caller.fakes.sent().len()), (5, 1));

    body["filename"] = json!("other.docx");
    let other = post(&caller, &body).await;
    assert_eq!(other.error(), (422, "idempotency_key_reused"));
}

#[tokio::test]
async fn unknown_and_foreign_sources_get_the_same_error() {
    let caller = Caller::on(Plan::Pro).await;
    let stranger = Caller::with(&caller.fakes, Plan::Pro, Scope::ALL).await;
    let foreign = stranger.upload(DOCX).to_string();
    let mut bodies = Vec::new();
    for source in [foreign.as_str(), UNKNOWN_SOURCE, "", "../../etc/passwd"] {
        let mut body = body(&caller);
        body["sourceKey"] = json!(source);
        let response = assert_rejected(&caller, &body, 403, "source_forbidden").await;
        let header = &response.headers["www-authenticate"];
        assert_eq!(header, "Bearer error=\"insufficient_scope\"");
        bodies.push(response.body);
        // Attachments of steps are checked like the source.
        body["sourceKey"] = json!(caller.upload("application/pdf"));
        body["steps"] = json!([{"operation": "merge", "sourceKeys": [source]}]);
        bodies.push(
            assert_rejected(&caller, &body, 403, "source_forbidden")
                .await
                .body,
        );
        body["steps"] = json!([{"operation": "watermark", "sourceKey": source}]);
        bodies.push(
            assert_rejected(&caller, &body, 403, "source_forbidden")
                .await
                .body,
        );
    }
    assert_eq!(bodies.len(), 12);
    bodies.dedup();
    assert_eq!(bodies.len(), 1, "{bodies:?}");
}

#[tokio::test]
async fn the_result_becomes_a_version_of_the_given_document() {
    let caller = Caller::on(Plan::Pro).await;
    let (document, version) = saved(&caller);
    for named in [None, Some(&version)] {
        let mut body = body(&caller);
        body["documentId"] = json!(document.id);
        if let Some(version) = named {
            body["versionId"] = json!(version);
        }
        let key = format!("key of {}", named.is_some()).replace(' ', "-");
        let response = caller.post("/pipeline", Some(&key), &body).await;
        assert_eq!(response.status, 202, "{}", response.body);
        assert_eq!(response.text("documentId"), document.id.as_str());
        assert_eq!(response.text("versionId"), version.as_str());
        let expected = DocumentWork {
            document: document.id.clone(),
            version: version.clone(),
            page: None,
            result: DocumentResult::Version,
        };
        assert_eq!(job(&caller, &response).await.document, Some(expected));
    }
}

#[tokio::test]
async fn unknown_and_foreign_documents_and_versions_are_not_found() {
    let caller = Caller::on(Plan::Pro).await;
    let stranger = Caller::with(&caller.fakes, Plan::Pro, Scope::ALL).await;
    let (own, _) = saved(&caller);
    let (foreign, foreign_version) = saved(&stranger);
    let ids = [foreign.id.as_str(), UNKNOWN_DOCUMENT, "doc_x", ""];
    let mut bodies = Vec::new();
    for id in ids {
        let mut body = body(&caller);
        body["documentId"] = json!(id);
        bodies.push(
            assert_rejected(&caller, &body, 404, "document_not_found")
                .await
                .body,
        );
    }
    bodies.dedup();
    assert_eq!(bodies.len(), 1, "{bodies:?}");

    let versions = [foreign_version.as_str(), UNKNOWN_VERSION, "ver_x", ""];
    for id in versions {
        let mut body = body(&caller);
        body["documentId"] = json!(own.id);
        body["versionId"] = json!(id);
        assert_rejected(&caller, &body, 404, "version_not_found").await;
    }

    let mut empty = own.clone();
    empty.id = DocumentId::mint(empty.created_at, 77);
    empty.current_version_id = None;
    let (_, any) = sample::library::imported_document(
        &sample::library::import(
            caller.fakes.as_ref(),
            &caller.account,
            None,
            empty.created_at,
        )
        .import,
        "x.pdf",
    );
    caller.fakes.put_document(empty.clone(), any);
    let mut body = body(&caller);
    body["documentId"] = json!(empty.id);
    assert_rejected(&caller, &body, 409, "no_current_version").await;
}

#[tokio::test]
async fn a_document_id_requires_the_scope_documents_read() {
    let fakes = Arc::new(testkit::Fakes::new());
    let caller = Caller::with(&fakes, Plan::Pro, &[Scope::JobsCreate]).await;
    let (document, _) = saved(&caller);
    let mut body = body(&caller);
    body["documentId"] = json!(document.id);
    let response = assert_rejected(&caller, &body, 403, "insufficient_scope").await;
    assert_eq!(
        response.headers["www-authenticate"],
        "Bearer error=\"insufficient_scope\", scope=\"documents:read\""
    );
    body.as_object_mut().unwrap().remove("documentId");
    assert_eq!(post(&caller, &body).await.status, 202);
}

#[tokio::test]
async fn requests_are_rejected_while_the_processor_is_disabled() {
    let caller = Caller::on(Plan::Pro).await;
    let pipeline = Processor::ProcessPipeline;
    caller
        .fakes
        .set_enabled(Processor::ProcessPdf, false)
        .await
        .unwrap();
    caller.fakes.set_enabled(pipeline, false).await.unwrap();
    let body = body(&caller);
    let response = assert_rejected(&caller, &body, 503, "processor_unavailable").await;
    assert_eq!(response.headers["retry-after"], "60");
    assert_eq!(response.body["retryable"], true);
    caller.fakes.set_enabled(pipeline, true).await.unwrap();
    assert_eq!(post(&caller, &body).await.status, 202);
}

#[tokio::test]
async fn invalid_steps_are_rejected_with_their_paths() {
    let caller = Caller::on(Plan::Pro).await;
    let ocr = json!({"operation": "ocr"});
    let pdf = json!({"operation": "convert", "format": "pdf"});
    for (steps, code, path) in [
        (json!([ocr]), "invalid_step", "$.steps[0].operation"),
        (
            json!([pdf, {"operation": "shrink"}]),
            "unsupported_operation",
            "$.steps[1].operation",
        ),
        (
            json!([pdf, {"operation": "ocr", "colour": 1}]),
            "invalid_step",
            "$.steps[1].colour",
        ),
        (
            json!([pdf, {"operation": "ocr", "language": "xx"}]),
            "unsupported_language",
            "$.steps[1].language",
        ),
        (
            json!([pdf, {"operation": "split"}, ocr]),
            "invalid_step",
            "$.steps[2].operation",
        ),
        (
            json!([pdf, {"operation": "convert", "format": "png"}, {"operation": "compress"}]),
            "invalid_step",
            "$.steps[2].operation",
        ),
        (
            json!([{"operation": "convert", "format": "mp3"}]),
            "invalid_step",
            "$.steps[0].format",
        ),
    ] {
        let mut body = body(&caller);
        body["steps"] = steps;
        let response = assert_rejected(&caller, &body, 422, code).await;
        let (first, _) = response.errors()[0];
        assert_eq!(first, path, "{}", response.body);
    }
}

#[tokio::test]
async fn the_format_comes_from_the_content_type_or_the_filename() {
    let caller = Caller::on(Plan::Pro).await;
    let mut body = body(&caller);
    body["sourceKey"] = json!(caller.upload("application/octet-stream"));
    let response = assert_rejected(&caller, &body, 422, "unsupported_conversion").await;
    assert_eq!(
        response.errors(),
        [("$.filename", "unsupported_conversion")],
        "{}",
        response.body
    );
    body["filename"] = json!("nameless");
    let response = assert_rejected(&caller, &body, 422, "unsupported_conversion").await;
    assert_eq!(
        response.errors(),
        [("$.filename", "unsupported_conversion")]
    );
    body["filename"] = json!("report.docx");
    assert_eq!(post(&caller, &body).await.status, 202);
}

#[tokio::test]
async fn the_body_is_validated_before_the_processor_is_checked() {
    let caller = Caller::on(Plan::Pro).await;
    caller
        .fakes
        .set_enabled(Processor::ProcessPipeline, false)
        .await
        .unwrap();
    let response = caller.post("/pipeline", None, &body(&caller)).await;
    assert_eq!(response.error(), (400, "idempotency_key_required"));
    let response = assert_rejected(&caller, &json!({}), 422, "invalid_request").await;
    let missing = [
        ("$.sourceKey", "missing_field"),
        ("$.steps", "missing_field"),
    ];
    assert_eq!(response.errors(), missing);
    let mut body = body(&caller);
    body["versionId"] = json!(UNKNOWN_VERSION);
    let response = assert_rejected(&caller, &body, 422, "invalid_request").await;
    assert_eq!(response.errors(), [("$.documentId", "missing_field")]);
}
