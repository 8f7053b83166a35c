//! `POST /pipeline`: several steps in one job.

use serde_json::{Value, json};
use tests::client::{Response, unique};
use tests::documents::{docx, paragraph, pdf};
use tests::library_fixture::LibraryFixture;

use crate::account::{Account, accepted_job_id};
use crate::poppler;
use crate::problem::{assert_error, without_request_id};

const DOCX: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

/// Price of two conversions.
const TWO_CONVERSIONS: i64 = 4;

async fn post(account: &Account, body: &Value, key: &str) -> Response {
    let headers = [("idempotency-key", key)];
    account.client.post("/pipeline", &headers, body).await
}

/// A DOCX with this text.
fn docx_with_text(words: &str) -> Vec<u8> {
    docx(&paragraph(words), "", &[])
}

/// A request body for DOCX → PDF → text.
async fn two_conversions_body(account: &Account, words: &str) -> Value {
    let source = account
        .client
        .upload("letter.docx", DOCX, docx_with_text(words));
    json!({"sourceKey": source.await, "steps": [
        {"operation": "convert", "format": "pdf"},
        {"operation": "convert", "format": "txt"},
    ]})
}

/// Creates a pipeline and waits for its job.
async fn run_pipeline(account: &Account, body: &Value) -> Value {
    let job = accepted_job_id(&post(account, body, &unique("pipeline")).await);
    account.client.wait(&job).await
}

fn step_values<'a>(job: &'a Value, member: &str) -> Vec<&'a str> {
    let steps = job["steps"].as_array().unwrap().iter();
    steps.map(|step| step[member].as_str().unwrap()).collect()
}

#[tokio::test]
async fn steps_run_in_order_and_are_reported() {
    let account = Account::new("pro");
    let before = account.remaining().await.1;
    let words = unique("Zwetschgenkuchen");
    let body = two_conversions_body(&account, &words).await;
    let key = unique("pipeline");
    let response = post(&account, &body, &key).await;
    let created = response.json();
    let id = accepted_job_id(&response);
    let expected = json!({
        "jobId": id, "status": "queued", "created": true, "processor": "process-pipeline",
        "statusUrl": format!("/api/v1/jobs/{id}"), "resultUrl": format!("/api/v1/jobs/{id}/result"),
    });
    assert_eq!(created, expected);
    assert_eq!(response.header("location"), format!("/api/v1/jobs/{id}"));

    let job = account.client.wait(&id).await;
    assert_eq!(job["status"], "completed", "{job}");
    assert_eq!(job["filename"], "document.docx");
    assert_eq!(
        (&job["attempts"], &job["progress"]),
        (&json!(1), &json!(100))
    );
    assert_eq!(step_values(&job, "operation"), ["convert", "convert"]);
    assert_eq!(step_values(&job, "status"), ["completed", "completed"]);
    let (mut last, created_at) = (0, job["createdAt"].as_i64().unwrap());
    for step in job["steps"].as_array().unwrap() {
        assert_eq!(step["attempt"], 1);
        let [from, to] = ["startedAt", "endedAt"].map(|name| step[name].as_i64().unwrap());
        assert!(created_at <= from && last <= from && from <= to, "{job}");
        last = to;
    }
    assert!(last <= job["updatedAt"].as_i64().unwrap(), "{job}");
    let text = String::from_utf8(account.client.result(&job).await).unwrap();
    assert!(text.contains(&words), "{text}");
    assert_eq!(job["output"]["contentType"], "text/plain");
    assert_eq!(job["creditsCharged"], TWO_CONVERSIONS);
    assert_eq!(before - account.remaining().await.1, TWO_CONVERSIONS);

    let again = post(&account, &body, &key).await;
    assert_eq!(
        (again.status, again.json()["jobId"].as_str()),
        (200, Some(&*id))
    );
    assert_eq!(again.header("idempotency-replayed"), "true");
    assert_eq!(before - account.remaining().await.1, TWO_CONVERSIONS);
}

#[tokio::test]
async fn recognized_documents_can_be_processed_further() {
    let account = Account::new("pro");
    let words = "Streuobstwiese";
    let mut body = two_conversions_body(&account, words).await;
    body["steps"] = json!([
        {"operation": "convert", "format": "pdf"},
        {"operation": "ocr", "mode": "force", "output": "pdf"},
        {"operation": "convert", "format": "txt"},
    ]);
    let job = run_pipeline(&account, &body).await;
    assert_eq!(job["status"], "completed", "{job}");
    assert_eq!(job["creditsCharged"], 2 + 3 + 2);
    let text = String::from_utf8(account.client.result(&job).await).unwrap();
    assert!(text.contains(words), "{text}");
}

#[tokio::test]
async fn equal_steps_on_one_source_are_reused_within_an_account() {
    let (account, other) = (Account::new("pro"), Account::new("pro"));
    let words = unique("Apfelmost");
    let body = two_conversions_body(&account, &words).await;
    let first = run_pipeline(&account, &body).await;
    let second = run_pipeline(&account, &body).await;
    let foreign = run_pipeline(&other, &two_conversions_body(&other, &words).await).await;
    let mut longer = body.clone();
    longer["steps"][1] = json!({"operation": "convert", "format": "png"});
    let longer = run_pipeline(&account, &longer).await;
    for (job, expected) in [
        (&first, ["completed", "completed"]),
        (&second, ["reused", "reused"]),
        (&foreign, ["completed", "completed"]),
        (&longer, ["reused", "completed"]),
    ] {
        assert_eq!(job["status"], "completed", "{job}");
        assert_eq!(step_values(job, "status"), expected, "{job}");
        assert_eq!(job["creditsCharged"], TWO_CONVERSIONS);
    }
    let results = [
        account.client.result(&first).await,
        account.client.result(&second).await,
    ];
    assert_eq!(results[0], results[1]);
    assert_eq!(first["output"], second["output"]);
}

#[tokio::test]
async fn a_failed_step_is_reported_and_refunded() {
    let account = Account::new("pro");
    let before = account.usage().await;
    let mut body = two_conversions_body(&account, "one page").await;
    body["steps"][1] = json!({"operation": "extract-pages", "pages": "2"});
    let job = run_pipeline(&account, &body).await;
    assert_eq!(job["status"], "failed", "{job}");
    assert_eq!(job["error"]["code"], "page_range_invalid");
    assert_eq!(step_values(&job, "status"), ["completed", "failed"]);
    assert_eq!(job["creditsCharged"], 0);
    assert_eq!(account.usage().await, before);
}

#[tokio::test]
async fn the_result_becomes_a_version_of_the_given_document() {
    let account = Account::new("pro");
    let mut library = LibraryFixture::open(&account.id).await;
    let document = library.add("document.pdf").await;
    let path = format!("/documents/{document}");
    let detail_before = account.client.get(&path).await.json();
    let parent = detail_before["document"]["currentVersionId"].clone();

    let mut body = two_conversions_body(&account, "a new version").await;
    body["steps"].as_array_mut().unwrap().pop();
    body["documentId"] = json!(document);
    let response = post(&account, &body, &unique("pipeline")).await;
    let job = accepted_job_id(&response);
    let created = response.json();
    assert_eq!(created["documentId"], json!(document));
    assert_eq!(created["versionId"], parent);

    let job = account.client.wait(&job).await;
    assert_eq!(job["status"], "completed", "{job}");
    assert_eq!(job["documentId"], json!(document));
    assert_eq!(job["versionId"], parent);
    let detail = account.client.get(&path).await.json();
    assert_eq!(detail["document"]["versionCount"], 2, "{detail}");
    let versions = detail["versions"].as_array().unwrap();
    let made = versions.iter().find(|version| version["id"] != parent);
    let made = made.unwrap();
    assert_eq!(made["jobId"], job["jobId"], "{made}");
    assert_eq!(made["parentVersionId"], parent, "{made}");
    assert_eq!(made["source"], "job", "{made}");
    assert_eq!(made["sha256"], job["output"]["sha256"], "{made}");
    // The media type is unchanged, so the result is an edit and becomes the current version.
    assert_eq!(detail["document"]["currentVersionId"], made["id"]);
}

/// Asserts that a pipeline is rejected with this error and charges nothing.
async fn assert_rejected(
    account: &Account,
    body: &Value,
    status: u16,
    code: &str,
    expected_errors: &[(&str, &str)],
) -> Response {
    let before = account.usage().await;
    let response = post(account, body, &unique("pipeline")).await;
    assert_error(&response, status, code, expected_errors);
    assert_eq!(account.usage().await, before, "{body}");
    response
}

#[tokio::test]
async fn incompatible_steps_are_rejected_with_the_path_of_the_step() {
    let account = Account::new("pro");
    let to_pdf = json!({"operation": "convert", "format": "pdf"});
    let ocr = json!({"operation": "ocr"});
    let mut body = two_conversions_body(&account, "w").await;
    for (steps, code, path) in [
        (json!([ocr]), "invalid_step", "$.steps[0].operation"),
        (
            json!([to_pdf, ocr, {"operation": "merge", "sourceKeys": [body["sourceKey"]]}]),
            "invalid_step",
            "$.steps[2].operation",
        ),
        (
            json!([to_pdf, {"operation": "split"}, ocr]),
            "invalid_step",
            "$.steps[2].operation",
        ),
        (
            json!([{"operation": "convert", "format": "mp3"}]),
            "invalid_step",
            "$.steps[0].format",
        ),
        (
            json!([to_pdf, {"operation": "shrink"}]),
            "unsupported_operation",
            "$.steps[1].operation",
        ),
        (
            json!([to_pdf, {"operation": "ocr", "language": "tlh"}]),
            "unsupported_language",
            "$.steps[1].language",
        ),
    ] {
        body["steps"] = steps;
        let response = post(&account, &body, &unique("pipeline")).await;
        assert_eq!(
            response.problem(),
            (422, code.to_owned()),
            "{}",
            response.text()
        );
        assert_eq!(response.json()["errors"][0]["path"], path);
    }
    assert_eq!(account.jobs().await, Vec::<String>::new());
    assert_eq!(
        account.remaining().await.1,
        Account::new("pro").remaining().await.1
    );
}

#[tokio::test]
async fn fields_at_their_limits_are_accepted() {
    let account = Account::new("pro");
    let source = account
        .client
        .upload("a.pdf", "application/pdf", pdf(1, 90, 50));
    let turn = json!({"operation": "rotate", "angle": 90});
    let filename = format!("{}.pdf", "ä".repeat(176));
    let body = json!({"sourceKey": source.await, "filename": filename, "steps": vec![turn; 8]});
    let job = run_pipeline(&account, &body).await;
    assert_eq!(job["status"], "completed", "{job}");
    assert_eq!(
        (&job["filename"], &job["creditsCharged"]),
        (&json!(filename), &json!(8))
    );
    assert_eq!(step_values(&job, "operation"), ["rotate"; 8]);
    // Eight rotations by 90° are two full turns.
    let result = account.client.result(&job).await;
    assert_eq!(poppler::page_widths(&result), [90]);
}

#[tokio::test]
async fn every_invalid_field_is_reported() {
    let account = Account::new("pro");
    let good = two_conversions_body(&account, "w").await;
    let step = json!({"operation": "ocr"});
    for (name, value, code) in [
        ("steps", json!([]), "invalid_value"),
        ("steps", json!(vec![step; 9]), "invalid_value"),
        ("steps", json!("ocr"), "invalid_value"),
        ("filename", json!("n".repeat(181)), "invalid_value"),
        ("sourceKey", json!(7), "invalid_value"),
        ("documentId", json!(null), "invalid_value"),
        ("format", json!("pdf"), "unknown_field"),
        ("metadata", json!({}), "unknown_field"),
    ] {
        let mut body = good.clone();
        body[name] = value;
        let expected_error = (&*format!("$.{name}"), code);
        assert_rejected(&account, &body, 422, "invalid_request", &[expected_error]).await;
    }
    let mut body = good.clone();
    body["versionId"] = json!("ver_01arz3ndektsv4rrffq69g5fav");
    let expected_error = ("$.documentId", "missing_field");
    assert_rejected(&account, &body, 422, "invalid_request", &[expected_error]).await;
    let response = account.client.post("/pipeline", &[], &good).await;
    assert_error(&response, 400, "idempotency_key_required", &[]);
}

#[tokio::test]
async fn a_foreign_source_is_forbidden_like_an_unknown_one() {
    let (account, other) = (Account::new("pro"), Account::new("pro"));
    let foreign = two_conversions_body(&other, "secret").await;
    let mut bodies = Vec::new();
    for source in [
        foreign["sourceKey"].as_str().unwrap(),
        "src_01arz3ndektsv4rrffq69g5fav",
        "junk",
        "",
    ] {
        let mut body = foreign.clone();
        body["sourceKey"] = json!(source);
        let response = assert_rejected(&account, &body, 403, "source_forbidden", &[]).await;
        bodies.push(without_request_id(&response));
    }
    let mut merge = foreign.clone();
    merge["sourceKey"] = json!(
        account
            .client
            .upload("a.pdf", "application/pdf", pdf(1, 9, 9))
            .await
    );
    for key in [&foreign["sourceKey"], &json!("junk")] {
        merge["steps"] = json!([{"operation": "merge", "sourceKeys": [key]}]);
        let response = assert_rejected(&account, &merge, 403, "source_forbidden", &[]).await;
        bodies.push(without_request_id(&response));
    }
    bodies.dedup();
    assert_eq!(bodies.len(), 1, "{bodies:?}");
}

#[tokio::test]
async fn a_foreign_document_is_not_found() {
    let (account, other) = (Account::new("pro"), Account::new("pro"));
    let foreign = LibraryFixture::open(&other.id)
        .await
        .add("theirs.pdf")
        .await;
    let own = LibraryFixture::open(&account.id)
        .await
        .add("mine.pdf")
        .await;
    let mut body = two_conversions_body(&account, "w").await;
    let mut bodies = Vec::new();
    for id in [foreign.as_str(), "doc_01arz3ndektsv4rrffq69g5fav", "junk"] {
        body["documentId"] = json!(id);
        let response = assert_rejected(&account, &body, 404, "document_not_found", &[]).await;
        bodies.push(without_request_id(&response));
    }
    bodies.dedup();
    assert_eq!(bodies.len(), 1, "{bodies:?}");
    body["documentId"] = json!(own);
    for id in ["ver_01arz3ndektsv4rrffq69g5fav", "junk"] {
        body["versionId"] = json!(id);
        assert_rejected(&account, &body, 404, "version_not_found", &[]).await;
    }
    let (_, key) = account.new_key(&["--scopes", "jobs:create,files:write"]);
    let narrow = tests::client::Client::with_key(Some(&key));
    let headers = [("idempotency-key", &*unique("pipeline"))];
    let response = narrow.post("/pipeline", &headers, &body).await;
    assert_error(&response, 403, "insufficient_scope", &[]);
    let header = response.header("www-authenticate");
    assert_eq!(
        header,
        "Bearer error=\"insufficient_scope\", scope=\"documents:read\""
    );
}
