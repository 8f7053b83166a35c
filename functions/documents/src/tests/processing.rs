//! Processing of documents and pages: responses, errors and charges.

use domain::event::EventType;
use domain::format::Format;
use domain::id::{DocumentId, JobId, VersionId};
use domain::job::{DocumentResult, Job, JobSource};
use domain::library::{PageSize, Version, page_id};
use domain::plan::Plan;
use domain::ports::{Jobs as _, Library as _};
use domain::scope::Scope;
use domain::source::{pages_object, version_object};
use serde_json::{Value, json};

use super::{Caller, PDF, TestResponse};

const KEY: &str = "my-own-name";
const UNKNOWN: &str = "doc_01arz3ndektsv4rrffq69g5fav";
const NO_PAGE: &str = "pag_01arz3ndektsv4rrffq69g5fav";

fn compress() -> Value {
    json!({"operation": "pipeline", "steps": [{"operation": "optimize"}]})
}

/// Imports a PDF and sets its page count.
async fn with_pages(caller: &Caller, count: u32) -> (DocumentId, VersionId) {
    let id = caller.imported("Bericht.pdf").await;
    let version = current(caller, &id).await;
    let document = caller.fakes.document(&caller.account.id, &id).await;
    let id_of_version = version.id.clone();
    let known = Version {
        page_count: Some(count),
        page_sizes: vec![PageSize {
            width: 595.5,
            height: 842.0,
        }],
        ..version
    };
    caller.fakes.put_document(document.unwrap().unwrap(), known);
    (id, id_of_version)
}

async fn current(caller: &Caller, id: &DocumentId) -> Version {
    let versions = caller.fakes.versions(id, 1).await.unwrap();
    versions.into_iter().next().unwrap()
}

async fn process(caller: &Caller, target: &str, body: &Value, key: Option<&str>) -> TestResponse {
    let headers: Vec<_> = key
        .map(|key| ("idempotency-key", key))
        .into_iter()
        .collect();
    let path = format!("/documents/{target}/process");
    caller.send("POST", &path, &headers, Some(body)).await
}

async fn job(caller: &Caller, response: &TestResponse) -> Job {
    let id: JobId = response.text("jobId").parse().unwrap();
    caller.fakes.job(&id).await.unwrap().unwrap()
}

#[tokio::test]
async fn a_document_job_is_accepted_charged_and_enqueued() {
    let caller = Caller::on(Plan::Starter).await;
    let (document, version) = with_pages(&caller, 2).await;
    let sent_before = caller.fakes.sent().len();
    let response = process(&caller, document.as_str(), &compress(), None).await;
    let id = response.text("jobId");
    let expected = json!({
        "jobId": id, "status": "queued", "created": true, "processor": "process-pipeline",
        "statusUrl": format!("/api/v1/jobs/{id}"), "resultUrl": format!("/api/v1/jobs/{id}/result"),
        "documentId": document, "versionId": version,
    });
    assert_eq!((response.status, &response.body), (202, &expected));
    assert_eq!(response.headers["location"], format!("/api/v1/jobs/{id}"));
    assert_eq!(response.headers["retry-after"], "1");
    assert_eq!(caller.used().await, 2, "the import and the job");
    let job = job(&caller, &response).await;
    let work = job.document.unwrap();
    assert_eq!((work.result, work.page), (DocumentResult::Version, None));
    let JobSource::Version(source) = job.source else {
        panic!("another source");
    };
    let object = version_object(&caller.account.id, &document, &version);
    let etag = caller.fakes.put_object(&object, "application/pdf", PDF);
    assert_eq!((source.etag, source.size_bytes), (etag, PDF.len() as u64));
    assert_eq!(job.filename.as_str(), "Bericht.pdf");
    let sent = caller.fakes.sent();
    assert_eq!(sent[sent_before..].len(), 1);
}

#[tokio::test]
async fn an_import_enqueues_a_free_inspection() {
    let caller = Caller::on(Plan::Starter).await;
    let document = caller.imported("a.pdf").await;
    let [sent] = caller.fakes.sent().try_into().unwrap();
    let inspection = caller
        .fakes
        .job(&sent.ticket.job_id)
        .await
        .unwrap()
        .unwrap();
    assert!(inspection.is_internal());
    assert_eq!(inspection.document.unwrap().document, document);
    assert_eq!(caller.used().await, 1, "the import alone");
    let published = caller.fakes.published().into_iter();
    let published: Vec<_> = published.map(|event| event.event_type).collect();
    assert_eq!(
        published,
        [EventType::DocumentImported],
        "the inspection publishes no events"
    );
}

#[tokio::test]
async fn a_replay_returns_the_job_after_the_document_was_deleted() {
    let caller = Caller::on(Plan::Starter).await;
    let (document, version) = with_pages(&caller, 2).await;
    let (other, _) = with_pages(&caller, 2).await;
    let first = process(&caller, document.as_str(), &compress(), Some(KEY)).await;
    assert_eq!(first.status, 202, "{}", first.body);
    let mut expected = first.body.clone();
    expected["created"] = json!(false);
    let again = async || {
        let again = process(&caller, document.as_str(), &compress(), Some(KEY)).await;
        assert_eq!((again.status, &again.body), (200, &expected));
        assert_eq!(again.headers["idempotency-replayed"], "true");
    };
    again().await;
    let reused = process(&caller, other.as_str(), &compress(), Some(KEY)).await;
    assert_eq!(reused.error(), (422, "idempotency_key_reused"));
    let body = json!({"operation": "convert", "format": "txt"});
    let reused = process(&caller, document.as_str(), &body, Some(KEY)).await;
    assert_eq!(reused.error(), (422, "idempotency_key_reused"));
    // Idempotency keys are scoped to the route.
    let page = page_id(&version, 1).unwrap();
    let target = format!("{document}/pages/{page}");
    let page_job = process(&caller, &target, &compress(), Some(KEY)).await;
    assert_eq!(page_job.status, 202, "{}", page_job.body);
    assert_eq!(caller.used().await, 4);
    let path = format!("/documents/{document}");
    assert_eq!(caller.send("DELETE", &path, &[], None).await.status, 204);
    again().await;
    let unkeyed = process(&caller, document.as_str(), &compress(), None).await;
    assert_eq!(unkeyed.error(), (404, "document_not_found"));
    let short = process(&caller, document.as_str(), &compress(), Some("short")).await;
    assert_eq!(short.error(), (400, "idempotency_key_invalid"));
    assert_eq!(caller.used().await, 4);
}

#[tokio::test]
async fn invalid_requests_are_rejected_with_their_paths_and_no_charge() {
    let caller = Caller::on(Plan::Starter).await;
    let (document, _) = with_pages(&caller, 2).await;
    for (body, code, path) in [
        (
            json!({"operation": "convert"}),
            "invalid_request",
            "$.format",
        ),
        (
            json!({"operation": "convert", "format": "pdf", "steps": []}),
            "invalid_request",
            "$.steps",
        ),
        (
            json!({"operation": "convert", "format": "exe"}),
            "unsupported_conversion",
            "$.format",
        ),
        (
            json!({"operation": "convert", "format": "pdf"}),
            "unsupported_conversion",
            "$.format",
        ),
        (
            json!({"operation": "image", "steps": [{"operation": "ocr"}]}),
            "invalid_step",
            "$.steps[0].operation",
        ),
        (
            json!({"operation": "image", "steps": [{"operation": "crop", "x": 0, "y": 0, "width": 1, "height": 1}]}),
            "invalid_step",
            "$.steps[0].operation",
        ),
        (
            json!({"operation": "pipeline", "pipeline": [{"operation": "ocr"}, {"operation": "optimize"}]}),
            "invalid_step",
            "$.pipeline[1].operation",
        ),
        (
            json!({"operation": "pipeline", "steps": [{"operation": "optimize", "level": 9}]}),
            "invalid_step",
            "$.steps[0].level",
        ),
        (
            json!({"operation": "pipeline", "steps": [{"operation": "translate"}]}),
            "unsupported_operation",
            "$.steps[0].operation",
        ),
        (
            json!({"operation": "pipeline", "steps": [{"operation": "ocr", "language": "tlh"}]}),
            "unsupported_language",
            "$.steps[0].language",
        ),
        (
            json!({"operation": "pipeline", "steps": [{"operation": "merge", "sourceKeys": ["src_01arz3ndektsv4rrffq69g5fav"]}]}),
            "source_unavailable",
            "$.steps[0].sourceKeys[0]",
        ),
        (
            json!({"operation": "pipeline", "pipeline": [{"operation": "watermark", "sourceKey": "junk"}]}),
            "source_unavailable",
            "$.pipeline[0].sourceKey",
        ),
    ] {
        let response = process(&caller, document.as_str(), &body, None).await;
        assert_eq!(response.error(), (422, code), "{body}");
        assert_eq!(response.body["errors"][0]["path"], path, "{body}");
    }
    assert_eq!(caller.used().await, 1, "the import alone");
}

#[tokio::test]
async fn missing_or_unsupported_content_is_rejected_without_charge() {
    let caller = Caller::on(Plan::Starter).await;
    let (document, version) = with_pages(&caller, 2).await;
    let page = format!("{document}/pages/{}", page_id(&version, 2).unwrap());
    let object = version_object(&caller.account.id, &document, &version);
    caller.fakes.remove_object(&object);
    let response = process(&caller, document.as_str(), &compress(), Some(KEY)).await;
    assert_eq!(response.error(), (409, "no_current_version"));
    let response = process(&caller, &page, &compress(), None).await;
    assert_eq!(response.error(), (409, "page_source_unavailable"));
    assert_eq!(caller.used().await, 1);
    // The idempotency key is still unused.
    caller.fakes.put_object(&object, "application/pdf", PDF);
    let response = process(&caller, document.as_str(), &compress(), Some(KEY)).await;
    assert_eq!(response.status, 202, "{}", response.body);

    let stored = caller.fakes.document(&caller.account.id, &document).await;
    let mut bare = stored.unwrap().unwrap();
    bare.current_version_id = None;
    caller.fakes.put_document_record(bare.clone());
    let response = process(&caller, document.as_str(), &compress(), None).await;
    assert_eq!(response.error(), (409, "no_current_version"));
    bare.current_version_id = Some(version);
    bare.content_type = "application/octet-stream".to_owned();
    bare.filename = "blob".to_owned().try_into().unwrap();
    caller.fakes.put_document_record(bare);
    let response = process(&caller, document.as_str(), &compress(), None).await;
    assert_eq!(response.error(), (409, "no_current_version"));
}

#[tokio::test]
async fn archived_documents_can_be_processed() {
    let caller = Caller::on(Plan::Starter).await;
    let (document, _) = with_pages(&caller, 2).await;
    let path = format!("/documents/{document}");
    let body = json!({"status": "archived"});
    assert_eq!(
        caller.send("PATCH", &path, &[], Some(&body)).await.status,
        200
    );
    let response = process(&caller, document.as_str(), &compress(), None).await;
    assert_eq!(response.status, 202);
}

#[tokio::test]
async fn documents_and_pages_of_other_accounts_are_not_found() {
    let owner = Caller::on(Plan::Starter).await;
    let other = Caller::another(&owner.fakes, Plan::Starter).await;
    let (document, version) = with_pages(&owner, 2).await;
    let (own, own_version) = with_pages(&other, 2).await;
    let page = page_id(&version, 1).unwrap();
    for (targets, code) in [
        (
            vec![
                document.to_string(),
                UNKNOWN.to_owned(),
                "junk".to_owned(),
                format!("{document}/pages/{page}"),
                format!("{UNKNOWN}/pages/{page}"),
            ],
            "document_not_found",
        ),
        (
            vec![
                format!("{own}/pages/{page}"),
                format!("{own}/pages/{NO_PAGE}"),
                format!("{own}/pages/junk"),
                format!("{own}/pages/{}", page_id(&own_version, 3).unwrap()),
            ],
            "page_not_found",
        ),
    ] {
        let mut bodies = Vec::new();
        for target in targets {
            let mut response = process(&other, &target, &compress(), None).await;
            assert_eq!(response.error(), (404, code), "{target}");
            response.body["instance"] = Value::Null;
            bodies.push(response.body);
        }
        bodies.dedup();
        assert_eq!(bodies.len(), 1, "{bodies:?}");
    }
    assert_eq!(other.used().await, 1);
}

#[tokio::test]
async fn a_single_page_can_be_processed() {
    let caller = Caller::on(Plan::Starter).await;
    let (document, version) = with_pages(&caller, 2).await;
    let page = page_id(&version, 2).unwrap();
    let target = format!("{document}/pages/{page}");
    let body = json!({"operation": "image", "steps": [{"operation": "cleanup", "deskew": true}]});
    let response = process(&caller, &target, &body, None).await;
    assert_eq!(response.status, 202, "{}", response.body);
    assert_eq!(response.text("pageId"), page.as_str());
    assert_eq!(response.text("documentId"), document.as_str());
    assert_eq!(response.text("versionId"), version.as_str());
    let job = job(&caller, &response).await;
    let names: Vec<_> = job
        .steps
        .iter()
        .map(domain::operation::Operation::name)
        .collect();
    assert_eq!(names, ["extract-pages", "convert", "cleanup"]);
    assert_eq!(
        (job.charge.credits, job.document.unwrap().page),
        (1, Some(2))
    );
}

#[tokio::test]
async fn a_page_of_a_multi_page_image_can_be_processed() {
    let caller = Caller::on(Plan::Starter).await;
    let (document, version) = with_pages(&caller, 3).await;
    let kept = current(&caller, &document).await;
    let stored = caller.fakes.document(&caller.account.id, &document).await;
    let stored = stored.unwrap().unwrap();
    for (content_type, expected) in [
        ("image/tiff", (202, vec!["extract-pages", "resize"])),
        // This image format has no pages; the page count of the record is wrong.
        ("image/gif", (422, Vec::new())),
    ] {
        let content_type = content_type.to_owned();
        let version = Version {
            content_type,
            ..kept.clone()
        };
        caller.fakes.put_document(stored.clone(), version);
        let page = page_id(&kept.id, 2).unwrap();
        let target = format!("{document}/pages/{page}");
        let body = json!({"operation": "image", "steps": [{"operation": "resize", "width": 90}]});
        let response = process(&caller, &target, &body, None).await;
        assert_eq!(response.status, expected.0, "{}", response.body);
        if response.status == 202 {
            let job = job(&caller, &response).await;
            let steps = job.steps.iter();
            let names: Vec<_> = steps.map(domain::operation::Operation::name).collect();
            assert_eq!(names, expected.1);
            assert_eq!((job.charge.credits, job.format), (1, Format::Tiff));
            let work = job.document.unwrap();
            assert_eq!((work.version, work.page), (version_of(&response), Some(2)));
        }
    }
    assert_eq!(current(&caller, &document).await.id, version);
}

fn version_of(response: &TestResponse) -> VersionId {
    response.text("versionId").parse().unwrap()
}

#[tokio::test]
async fn processing_requires_both_scopes() {
    let caller = Caller::on(Plan::Starter).await;
    for scopes in [[Scope::DocumentsRead], [Scope::JobsCreate]] {
        let half = Caller::with(&caller.fakes, Plan::Starter, &scopes).await;
        let response = process(&half, UNKNOWN, &compress(), None).await;
        assert_eq!(response.error(), (403, "insufficient_scope"));
    }
    let scopes = [Scope::DocumentsRead, Scope::JobsCreate];
    let with_both_scopes = Caller::with(&caller.fakes, Plan::Starter, &scopes).await;
    let response = process(&with_both_scopes, UNKNOWN, &compress(), None).await;
    assert_eq!(response.error(), (404, "document_not_found"));
}

#[tokio::test]
async fn page_sizes_are_read_from_the_record_or_the_object() {
    let caller = Caller::on(Plan::Starter).await;
    let (document, version) = with_pages(&caller, 150).await;
    let sizes: Vec<_> = (1..=150).map(|number| json!([number, 842.5])).collect();
    let object = pages_object(&caller.account.id, &document, &version);
    let bytes = json!(sizes).to_string().into_bytes();
    caller.fakes.put_object(&object, "application/json", &bytes);
    let detail = caller.get(&format!("/documents/{document}")).await;
    let shown = detail.body["versions"][0]["pages"].as_array().unwrap();
    assert_eq!((shown.len(), &shown[0]["width"]), (100, &json!(595.5)));
    assert_eq!(shown[1]["width"], Value::Null);
    let path = format!("/documents/{document}/versions/{version}/pages");
    let first = caller.get(&format!("{path}?limit=100")).await;
    let cursor = first.text("nextCursor");
    let rest = caller
        .get(&format!("{path}?limit=100&cursor={cursor}"))
        .await;
    let rest = &rest.body["pages"];
    assert_eq!(rest.as_array().unwrap().len(), 50);
    let last = json!({"id": page_id(&version, 150).unwrap(), "number": 150, "width": 150.0, "height": 842.5});
    assert_eq!(rest[49], last);
}
