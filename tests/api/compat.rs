//! The compatibility routes (`/convert`, `/ocr`, `/compress`, `/pdf`, `/merge`, `/webpage-to-pdf`).

mod alone;
mod anonymous;
mod errors;
mod uploads;
mod urls;

use serde_json::Value;
use tests::client::Response;

use crate::account::{Account, job_id};

/// Posts to a compatibility route, with an optional idempotency key.
async fn post(account: &Account, path: &str, key: Option<&str>, body: &Value) -> Response {
    let headers: Vec<_> = key
        .map(|key| ("idempotency-key", key))
        .into_iter()
        .collect();
    account.client.post(path, &headers, body).await
}

/// Waits for the job of a 202 response and returns it.
async fn finished_job(account: &Account, response: &Response) -> Value {
    assert_eq!(response.status, 202, "{}", response.text());
    let id = job_id(&response.json());
    assert_eq!(response.header("location"), format!("/api/v1/jobs/{id}"));
    assert_eq!(response.header("retry-after"), "1");
    account.client.wait(&id).await
}
