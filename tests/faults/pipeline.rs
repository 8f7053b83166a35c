//! Pipelines whose worker dies between their steps, and whose processor is switched off.

use std::io::Cursor;
use std::time::Duration;

use serde_json::{Value, json};
use tests::client::{Answer, unique};
use tests::documents::{docx, paragraph};
use tests::process::worker_with_engine_in;
use tests::stack::admin;
use zip::ZipArchive;

use crate::account::{Account, statuses};

const FUNCTION: &str = "process-pipeline";

/// Pages that keep the engine of the second step busy for some seconds.
const PAGES: usize = 200;

/// The longest that a killed worker holds up its job: its lease, and the minute between two sweeps.
const HELD_UP: Duration = Duration::from_secs(30 + 60);

/// What the engines and a cold start may take on top.
const WORK: Duration = Duration::from_secs(60);

/// Where the engine of the second step works, below the job's directory.
const SECOND_STEP: &str = "pipeline-1/step-0";

/// The worker is killed in the second step. The next attempt does not do the first one again.
pub(crate) async fn goes_on_where_it_was() {
    let account = Account::new();
    let answer = post(&account, &body(&account).await, &unique("pipeline")).await;
    assert_eq!(answer.status, 202, "{}", answer.text());
    let job_id = answer.json()["jobId"].as_str().unwrap().to_owned();
    worker_with_engine_in(SECOND_STEP, FUNCTION, WORK)
        .await
        .kill();
    let job = account.wait_for(&job_id, "completed", HELD_UP + WORK).await;
    let expected = [
        "queued",
        "processing",
        "retrying",
        "processing",
        "completed",
    ];
    assert_eq!(statuses(&job), expected, "the kill came too late: {job}");
    let steps = job["steps"].as_array().unwrap();
    let how: Vec<_> = steps
        .iter()
        .map(|step| (step["status"].as_str().unwrap(), step["attempt"].as_i64()))
        .collect();
    assert_eq!(how, [("reused", Some(2)), ("completed", Some(2))]);
    assert_eq!(account.spent().await, 4);
    let result = account.client.result(&job).await;
    assert_eq!(ZipArchive::new(Cursor::new(result)).unwrap().len(), PAGES);
}

/// A letter of many pages, to PDF and to pictures of its pages.
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

async fn post(account: &Account, body: &Value, key: &str) -> Answer {
    let headers = [("idempotency-key", key)];
    account.client.post("/pipeline", &headers, body).await
}

/// While its processor is off no pipeline is accepted, and a replay is answered.
pub(crate) async fn is_refused_while_switched_off() {
    let account = Account::new();
    let (body, key) = (body(&account).await, unique("pipeline"));
    assert_eq!(admin(&["processor", "off", "pipeline"])["on"], false);
    let off = post(&account, &body, &key).await;
    admin(&["processor", "on", "pipeline"]);
    assert_eq!(off.refusal(), (503, "processor_unavailable".to_owned()));
    assert_eq!(off.header("retry-after"), "60");
    assert_eq!(account.spent().await, 0);

    let accepted = post(&account, &body, &key).await;
    assert_eq!(accepted.status, 202, "{}", accepted.text());
    admin(&["processor", "off", "pipeline"]);
    let replayed = post(&account, &body, &key).await;
    let other = post(&account, &body, &unique("pipeline")).await;
    admin(&["processor", "on", "pipeline"]);
    assert_eq!(replayed.status, 200, "{}", replayed.text());
    assert_eq!(replayed.json()["jobId"], accepted.json()["jobId"]);
    assert_eq!(other.refusal(), (503, "processor_unavailable".to_owned()));
    let job_id = accepted.json()["jobId"].as_str().unwrap().to_owned();
    account.wait_for(&job_id, "completed", WORK).await;
}
