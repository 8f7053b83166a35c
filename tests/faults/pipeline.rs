//! Pipelines with a killed coordinator, and with their processor switched off.

use std::io::Cursor;
use std::time::Duration;

use serde_json::{Value, json};
use tests::client::{Response, unique};
use tests::documents::{docx, paragraph};
use tests::process::kill_coordinators;
use tests::stack::admin;
use tests::wire;
use zip::ZipArchive;

use crate::account::{Account, statuses};
use crate::crash::{PAGES, PROCESSING, RETRIED};

const FUNCTION: &str = "process-pipeline";

/// Maximum delay by a killed coordinator: the lease, and at most a minute between two runs of `sweep`.
const MAX_DELAY: Duration = Duration::from_secs(30 + 60);

/// Requests that cache the artifact of a step: a copy, and its record.
const CACHED: usize = 2;

/// Kills the coordinator in the second step, which takes some seconds; the next attempt reuses the result of the first step.
pub(crate) async fn resumes_after_completed_steps() {
    let account = Account::new();
    let start = wire::now();
    let response = post(&account, &body(&account).await, &unique("pipeline")).await;
    assert_eq!(response.status, 202, "{}", response.text());
    let job_id = response.json()["jobId"].as_str().unwrap().to_owned();
    let is_write = |request: &wire::Request| {
        request.is_of(FUNCTION) && request.service == "s3" && request.operation == "PUT"
    };
    wire::wait_for_requests(start, CACHED, PROCESSING, is_write).await;
    kill_coordinators(FUNCTION);
    let job = account
        .wait_for(&job_id, "completed", MAX_DELAY + PROCESSING)
        .await;
    assert_eq!(statuses(&job), RETRIED, "killed too late: {job}");
    let steps = job["steps"].as_array().unwrap();
    let outcomes: Vec<_> = steps
        .iter()
        .map(|step| (step["status"].as_str().unwrap(), step["attempt"].as_i64()))
        .collect();
    assert_eq!(outcomes, [("reused", Some(2)), ("completed", Some(2))]);
    assert_eq!(account.credits_used().await, 4);
    let result = account.client.result(&job).await;
    assert_eq!(ZipArchive::new(Cursor::new(result)).unwrap().len(), PAGES);
}

/// Request body of a pipeline that converts a long DOCX to PDF and then to PNG.
async fn body(account: &Account) -> Value {
    let page = r#"<w:p><w:r><w:br w:type="page"/></w:r></w:p>"#;
    let text = unique("page");
    let pages = vec![paragraph(&text); PAGES].join(page);
    let source = account
        .client
        .upload(
            "letter.docx",
            "application/octet-stream",
            docx(&pages, "", &[]),
        )
        .await;
    json!({"sourceKey": source, "filename": "letter.docx", "steps": [
        {"operation": "convert", "format": "pdf"},
        {"operation": "convert", "format": "png"},
    ]})
}

async fn post(account: &Account, body: &Value, key: &str) -> Response {
    let headers = [("idempotency-key", key)];
    account.client.post("/pipeline", &headers, body).await
}

/// While the processor is off, new pipelines get 503, and replays are answered.
pub(crate) async fn is_rejected_while_off() {
    let account = Account::new();
    let (body, key) = (body(&account).await, unique("pipeline"));
    assert_eq!(admin(&["processor", "off", "pipeline"])["on"], false);
    let off = post(&account, &body, &key).await;
    admin(&["processor", "on", "pipeline"]);
    assert_eq!(off.problem(), (503, "processor_unavailable".to_owned()));
    assert_eq!(off.header("retry-after"), "60");
    assert_eq!(account.credits_used().await, 0);

    let accepted = post(&account, &body, &key).await;
    assert_eq!(accepted.status, 202, "{}", accepted.text());
    admin(&["processor", "off", "pipeline"]);
    let replayed = post(&account, &body, &key).await;
    let other = post(&account, &body, &unique("pipeline")).await;
    admin(&["processor", "on", "pipeline"]);
    assert_eq!(replayed.status, 200, "{}", replayed.text());
    assert_eq!(replayed.json()["jobId"], accepted.json()["jobId"]);
    assert_eq!(other.problem(), (503, "processor_unavailable".to_owned()));
    let job_id = accepted.json()["jobId"].as_str().unwrap().to_owned();
    account.wait_for(&job_id, "completed", PROCESSING).await;
}
