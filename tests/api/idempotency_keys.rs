//! The form of idempotency keys, on the route that needs one and on the one that takes one.

use serde_json::{Value, json};
use tests::client::unique;

use crate::account::{Account, accepted};
use crate::refusal::{assert_problem, assert_refused, problem};

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
async fn a_job_needs_a_key() {
    let account = Account::new("free");
    let body = account.conversion().await;
    let before = account.usage().await;
    let answer = account.client.post("/jobs", &[], &body).await;
    let title = "An Idempotency-Key header is required";
    let expected = problem(400, "idempotency_key_required", title, "/jobs", false);
    assert_problem(&answer, &expected);
    assert_eq!(account.usage().await, before);
}

#[tokio::test]
async fn a_malformed_key_is_refused() {
    let account = Account::new("pro");
    let before = account.usage().await;
    let job = account.conversion().await;
    let upload = json!({"filename": "a.pdf", "contentType": "application/pdf", "sizeBytes": 1});
    let routes: [(&str, &Value); 2] = [("/jobs", &job), ("/files/upload", &upload)];
    for (path, body) in routes {
        for key in bad_keys() {
            let headers = [("idempotency-key", key.as_str())];
            let answer = account.client.post(path, &headers, body).await;
            assert_eq!(answer.status, 400, "{key:?}: {}", answer.text());
            assert_refused(&answer, 400, "idempotency_key_invalid", &[]);
        }
    }
    assert_eq!(account.usage().await, before);
}

#[tokio::test]
async fn eight_to_two_hundred_visible_characters_are_a_key() {
    let account = Account::new("business");
    let body = account.conversion().await;
    let visible: String = ('!'..='~').collect();
    for key in [
        "12345678".to_owned(),
        "k".repeat(200),
        visible,
        unique("usual"),
    ] {
        accepted(&account.client.create_job(&body, Some(&key)).await);
    }
    assert_eq!(account.jobs().await.len(), 4);
}
