//! Results that miss content of their source: the warning, and jobs with `strict=true`.

use domain::ports::Objects as _;
use domain::source::version_object;
use serde_json::{Value, json};
use tests::client::{Response, unique};
use tests::documents;
use tests::library_fixture::LibraryFixture;

use crate::account::{Account, accepted_job_id};
use crate::problem::assert_error;

/// A table with a row of a fixed height, into which two of its seven words fit.
const DOCUMENT: &str = r"{\rtf1\ansi\deff0{\fonttbl{\f0 Arial;}}
Departures of the ferry\par
\trowd\trrh-300\cellx1500\intbl Monday Tuesday Wednesday Thursday Friday Saturday Sunday\cell\row
\pard Summer timetable\par}";

const DOCX: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

async fn body(account: &Account) -> Value {
    let bytes = DOCUMENT.as_bytes().to_vec();
    let key = account
        .client
        .upload("ferry.rtf", "application/rtf", bytes)
        .await;
    json!({"sourceKey": key, "filename": "ferry.rtf", "format": "pdf"})
}

async fn create(account: &Account, query: &str, body: &Value, key: &str) -> Response {
    let headers = [("idempotency-key", key)];
    account
        .client
        .post(&format!("/jobs{query}"), &headers, body)
        .await
}

#[tokio::test]
async fn missing_words_are_a_warning_with_their_number() {
    let account = Account::new("starter");
    let job = account.run_job(&body(&account).await).await;
    assert_eq!(job["status"], "completed", "{job}");
    let warnings = job["warnings"].as_array().unwrap();
    let warning = warnings
        .iter()
        .find(|warning| warning["code"] == "content_missing");
    let data = &warning.unwrap_or_else(|| panic!("{job}"))["data"];
    assert_eq!(data["missing"], 5, "{job}");
    assert_eq!(data["of"], 13, "{job}");
}

#[tokio::test]
async fn a_strict_job_with_missing_words_fails_and_is_refunded() {
    let account = Account::new("starter");
    let before = account.remaining().await;
    let key = unique("strict");
    let body = body(&account).await;
    let job = accepted_job_id(&create(&account, "?strict=true", &body, &key).await);
    let job = account.client.wait(&job).await;
    assert_eq!(job["status"], "failed", "{job}");
    assert_eq!(job["error"]["code"], "output_incomplete", "{job}");
    assert_eq!(account.remaining().await, before);
    // The parameter is part of the request.
    for query in ["", "?strict=false"] {
        let again = create(&account, query, &body, &key).await;
        assert_error(&again, 422, "idempotency_key_reused", &[]);
    }
    assert_eq!(
        create(&account, "?strict=true", &body, &key).await.status,
        200
    );
}

/// The body of a conversion with a warning that is no loss, and its code.
async fn body_with_warning(account: &Account) -> (Value, &'static str) {
    let font = r#"<w:p><w:r><w:rPr><w:rFonts w:ascii="Gill Sans" w:hAnsi="Gill Sans"/></w:rPr><w:t>word</w:t></w:r></w:p>"#;
    let document = documents::docx(font, "", &[]);
    let key = account.client.upload("font.docx", DOCX, document).await;
    let body = json!({"sourceKey": key, "filename": "font.docx", "format": "pdf"});
    (body, "fonts_replaced")
}

/// Checks that a job completed with a warning.
async fn assert_warned(account: &Account, response: &Response, code: &str) {
    let job = account.client.wait(&accepted_job_id(response)).await;
    assert_eq!(job["status"], "completed", "{job}");
    assert_eq!(codes(&job), [code], "{job}");
}

#[tokio::test]
async fn a_strict_job_completes_with_warnings_of_other_types() {
    let account = Account::new("starter");
    let (body, code) = body_with_warning(&account).await;
    let created = create(&account, "?strict=true", &body, &unique("strict")).await;
    assert_warned(&account, &created, code).await;
}

#[tokio::test]
async fn a_strict_pipeline_and_a_strict_compatibility_route_complete_with_other_warnings() {
    let account = Account::new("starter");
    let (source, code) = body_with_warning(&account).await;
    for (path, body) in strict_bodies(&source, "docx") {
        let created = post_strict(&account, path, &body).await;
        assert_warned(&account, &created, code).await;
    }
}

fn codes(job: &Value) -> Vec<&str> {
    let warnings = job["warnings"].as_array().unwrap().iter();
    warnings
        .map(|warning| warning["code"].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn a_result_without_half_of_the_words_fails_without_strict() {
    let account = Account::new("starter");
    let before = account.remaining().await;
    let row = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday";
    let document = DOCUMENT.replace(row, &[row; 6].join(" "));
    let key = account
        .client
        .upload("ferry.rtf", "application/rtf", document.into_bytes())
        .await;
    let body = json!({"sourceKey": key, "filename": "ferry.rtf", "format": "pdf"});
    let job = account.run_job(&body).await;
    assert_eq!(job["status"], "failed", "{job}");
    assert_eq!(job["error"]["code"], "output_incomplete", "{job}");
    let message = job["error"]["message"].as_str().unwrap();
    assert!(message.contains("40 of 48 words"), "{message}");
    assert_eq!(account.remaining().await, before);
}

/// Checks that a job failed because it is strict, and was refunded.
async fn assert_strict_failure(account: &Account, response: &Response, before: (i64, i64)) {
    let job = account.client.wait(&accepted_job_id(response)).await;
    assert_eq!(job["status"], "failed", "{job}");
    assert_eq!(job["error"]["code"], "output_incomplete", "{job}");
    let message = job["error"]["message"].as_str().unwrap();
    assert!(message.contains("`strict`"), "{message}");
    assert_eq!(account.remaining().await, before);
}

#[tokio::test]
async fn a_strict_pipeline_and_a_strict_compatibility_route_fail() {
    let account = Account::new("starter");
    let before = account.remaining().await;
    let source = body(&account).await;
    for (path, body) in strict_bodies(&source, "rtf") {
        let created = post_strict(&account, path, &body).await;
        assert_strict_failure(&account, &created, before).await;
    }
}

/// The same conversion for a pipeline and for a compatibility route.
fn strict_bodies(source: &Value, format: &str) -> [(&'static str, Value); 2] {
    let steps =
        json!([{"operation": "convert", "format": "pdf"}, {"operation": "rotate", "angle": 90}]);
    let (key, filename) = (&source["sourceKey"], &source["filename"]);
    let pipeline = json!({"sourceKey": key, "filename": filename, "steps": steps});
    let upload = json!({"sourceKey": key, "inputFormat": format, "format": "pdf"});
    [("/pipeline", pipeline), ("/convert", upload)]
}

async fn post_strict(account: &Account, path: &str, body: &Value) -> Response {
    let key = unique("strict");
    let headers = [("idempotency-key", key.as_str())];
    let path = format!("{path}?strict=true");
    account.client.post(&path, &headers, body).await
}

/// Starts a strict operation on a document of one page, and on its page.
async fn process(account: &Account, pdf: Vec<u8>, body: &Value) -> [Response; 2] {
    let mut library = LibraryFixture::open(&account.id).await;
    let (document, version) = library.add_pdf("Plan.pdf", 1).await;
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), pdf).unwrap();
    let object = version_object(&library.account, &document, &version);
    let stored = library
        .services
        .store(file.path(), &object, "application/pdf");
    stored.await.unwrap();
    let shown = account.client.get(&format!("/documents/{document}")).await;
    let shown = shown.json();
    let page = shown["versions"][0]["pages"][0]["id"].as_str().unwrap();
    let post = async |target: &str| {
        let path = format!("/documents/{target}/process?strict=true");
        account.client.post(&path, &[], body).await
    };
    [
        post(&document.to_string()).await,
        post(&format!("{document}/pages/{page}")).await,
    ]
}

#[tokio::test]
async fn strict_jobs_on_a_document_and_on_a_page_fail() {
    let account = Account::new("starter");
    let before = account.remaining().await;
    let body = json!({"operation": "convert", "format": "png"});
    let both = process(&account, oversized_page(), &body).await;
    // Neither is refunded before it has failed.
    for created in &both {
        account.client.wait(&accepted_job_id(created)).await;
    }
    for created in &both {
        assert_strict_failure(&account, created, before).await;
    }
}

/// A PDF with a page that is higher at 150 dpi than an image may be.
fn oversized_page() -> Vec<u8> {
    documents::pdf(1, 100, 14_400)
}

#[tokio::test]
async fn pages_that_are_scaled_down_fail_a_strict_job() {
    let account = Account::new("starter");
    let key = account
        .client
        .upload("plan.pdf", "application/pdf", oversized_page())
        .await;
    let body = json!({"sourceKey": key, "filename": "plan.pdf", "format": "png"});
    let job = account.run_job(&body).await;
    assert_eq!(job["status"], "completed", "{job}");
    assert_eq!(codes(&job), ["limited_by_size"], "{job}");
    let before = account.remaining().await;
    let created = create(&account, "?strict=true", &body, &unique("strict")).await;
    assert_strict_failure(&account, &created, before).await;
}

#[tokio::test]
async fn strict_is_a_query_parameter_and_no_member() {
    let account = Account::new("starter");
    let mut body = body(&account).await;
    let invalid = create(&account, "?strict=maybe", &body, &unique("strict")).await;
    assert_error(
        &invalid,
        400,
        "invalid_request",
        &[("$.strict", "invalid_value")],
    );
    body["strict"] = json!(true);
    let refused = create(&account, "", &body, &unique("strict")).await;
    assert_error(
        &refused,
        422,
        "invalid_request",
        &[("$.strict", "unknown_field")],
    );
}
