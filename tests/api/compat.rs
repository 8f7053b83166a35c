//! The compatibility forms over HTTP.

mod alone;
mod public;
mod refusals;
mod uploads;
mod urls;

use serde_json::Value;
use tests::client::Answer;

use crate::account::{Account, job_id};

/// Posts to a form, with an idempotency key when one is given.
async fn post(account: &Account, path: &str, key: Option<&str>, body: &Value) -> Answer {
    let headers: Vec<_> = key
        .map(|key| ("idempotency-key", key))
        .into_iter()
        .collect();
    account.client.post(path, &headers, body).await
}

/// The end of the job that an answer accepts.
async fn ended(account: &Account, answer: &Answer) -> Value {
    assert_eq!(answer.status, 202, "{}", answer.text());
    let id = job_id(&answer.json());
    assert_eq!(answer.header("location"), format!("/api/v1/jobs/{id}"));
    assert_eq!(answer.header("retry-after"), "1");
    account.client.wait(&id).await
}
