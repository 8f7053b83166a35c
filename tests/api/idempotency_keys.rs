//! Validation of idempotency keys, on a route that requires one and a route with an optional one.

use serde_json::{Value, json};
use tests::client::unique;

use crate::account::{Account, accepted_job_id};
use crate::problem::{assert_error, assert_problem, expected_problem};

fn bad_keys() -> Vec<String> {
    [
        "",
        "1234567",
        "with space",
        "tab\tinside",
        "ümlautig",
        "schlüssel-lang-genug",
    ]
    .map(str::to_owned)
    .into_iter()
    .chain([" ".repeat(9), "k".repeat(201), "k".repeat(4_000)])
    .collect()
}

#[tokio::test]
async fn jobs_require_an_idempotency_key() {
    let account = Account::new("free");
    let body = account.conversion_body().await;
    let before = account.usage().await;
    let response = account.client.post("/jobs", &[], &body).await;
    let title = "An Idempotency-Key header is required";
    let expected = expected_problem(400, "idempotency_key_required", title, "/jobs", false);
    assert_problem(&response, &expected);
    assert_eq!(account.usage().await, before);
}

#[tokio::test]
async fn malformed_keys_are_rejected() {
    let account = Account::new("pro");
    let before = account.usage().await;
    let job = account.conversion_body().await;
    let upload = json!({"filename": "a.pdf", "contentType": "application/pdf", "sizeBytes": 1});
    let routes: [(&str, &Value); 2] = [("/jobs", &job), ("/files/upload", &upload)];
    for (path, body) in routes {
        for key in bad_keys() {
            let headers = [("idempotency-key", key.as_str())];
            let response = account.client.post(path, &headers, body).await;
            assert_eq!(response.status, 400, "{key:?}: {}", response.text());
            assert_error(&response, 400, "idempotency_key_invalid", &[]);
        }
    }
    assert_eq!(account.usage().await, before);
}

#[tokio::test]
async fn keys_have_8_to_200_visible_characters() {
    let account = Account::new("business");
    let body = account.conversion_body().await;
    let visible: String = ('!'..='~').collect();
    for key in [
        "12345678".to_owned(),
        "k".repeat(200),
        visible,
        unique("usual"),
    ] {
        accepted_job_id(&account.client.create_job(&body, Some(&key)).await);
    }
    assert_eq!(account.jobs().await.len(), 4);
}
