//! Pipelines with a killed worker, and with their processor switched off.

use std::io::Cursor;
use std::time::Duration;

use serde_json::{Value, json};
use tests::client::{Response, unique};
use tests::documents::{docx, paragraph};
use tests::process::worker_with_engine_in;
use tests::stack::admin;
use zip::ZipArchive;

use crate::account::{Account, statuses};

const FUNCTION: &str = "process-pipeline";

/// Enough pages to keep the engine of the second step busy for some seconds.
const PAGES: usize = 200;

/// Maximum delay by a killed worker: the lease, and the minute between two runs of `sweep`.
const MAX_DELAY: Duration = Duration::from_secs(30 + 60);

/// Timeout for the engines and a cold start.
const PROCESSING: Duration = Duration::from_secs(60);

/// Working directory of the second step's engine, relative to the job's directory.
const SECOND_STEP: &str = "pipeline-1/step-0";

/// Kills the worker in the second step; the next attempt reuses the result of the first step.
pub(crate) async fn resumes_after_completed_steps() {
    let account = Account::new();
    let response = post(&account, &body(&account).await, &unique("pipeline")).await;
    assert_eq!(response.status, 202, "{}", response.text());
    let job_id = response.json()["jobId"].as_str().unwrap().to_owned();
    worker_with_engine_in(SECOND_STEP, FUNCTION, PROCESSING)
        .await
        .kill();
    let job = account
        .wait_for(&job_id, "completed", MAX_DELAY + PROCESSING)
        .await;
    let expected = [
        "queued",
        "processing",
        "retrying",
        "processing",
        "completed",
    ];
    assert_eq!(statuses(&job), expected, "killed too late: {job}");
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
