//! `POST /files/upload`: idempotency and empty files.

use serde_json::{Value, json};
use tests::client::{put, unique};

use crate::account::Account;
use crate::problem::assert_error;

fn body() -> Value {
    json!({"filename": "a.txt", "contentType": "text/plain", "sizeBytes": 4})
}

#[tokio::test]
async fn a_replay_returns_the_same_source_with_a_valid_url() {
    let account = Account::new("free");
    let key = unique("upload");
    let headers = [("idempotency-key", key.as_str())];
    let first = account
        .client
        .post("/files/upload", &headers, &body())
        .await;
    assert_eq!(
        (first.status, first.header("idempotency-replayed")),
        (201, "")
    );
    let reordered = r#"{ "sizeBytes": 4, "filename": "a.txt", "contentType": "text/plain" }"#;
    let json = [("content-type", "application/json"), headers[0]];
    let sent = Some(reordered.as_bytes().to_vec());
    let again = account
        .client
        .send("POST", "/files/upload", &json, sent)
        .await;
    assert_eq!(
        (again.status, again.header("idempotency-replayed")),
        (201, "true")
    );
    assert_eq!(again.json()["sourceKey"], first.json()["sourceKey"]);
    assert_eq!(again.json()["headers"], first.json()["headers"]);
    assert_eq!(put(&again.json(), b"text".to_vec()).await.0, 200);
    assert_eq!(put(&first.json(), b"text".to_vec()).await.0, 412);
}

#[tokio::test]
async fn reusing_a_key_with_another_body_is_rejected() {
    let account = Account::new("free");
    let key = unique("upload");
    let headers = [("idempotency-key", key.as_str())];
    account
        .client
        .post("/files/upload", &headers, &body())
        .await;
    let mut other = body();
    other["sizeBytes"] = json!(5);
    let response = account.client.post("/files/upload", &headers, &other).await;
    assert_error(&response, 422, "idempotency_key_reused", &[]);
}

#[tokio::test]
async fn a_key_belongs_to_one_account_and_one_route() {
    let (one, two) = (Account::new("business"), Account::new("business"));
    let key = unique("shared");
    let headers = [("idempotency-key", key.as_str())];
    let mut sources = Vec::new();
    for account in [&one, &two] {
        let response = account
            .client
            .post("/files/upload", &headers, &body())
            .await;
        assert_eq!(
            (response.status, response.header("idempotency-replayed")),
            (201, "")
        );
        sources.push(response.json()["sourceKey"].clone());
    }
    assert_ne!(sources[0], sources[1]);
    let job = one.conversion_body().await;
    assert_eq!(one.client.create_job(&job, Some(&key)).await.status, 202);
}

#[tokio::test]
async fn without_a_key_each_request_authorizes_another_upload() {
    let account = Account::new("business");
    let mut sources = Vec::new();
    for _ in 0..3 {
        let response = account.client.post("/files/upload", &[], &body()).await;
        sources.push(response.json()["sourceKey"].as_str().unwrap().to_owned());
    }
    sources.dedup();
    assert_eq!(sources.len(), 3);
    assert!(
        sources.is_sorted(),
        "not in chronological order: {sources:?}"
    );
}

#[tokio::test]
async fn an_empty_file_can_be_uploaded_and_its_job_fails_without_charge() {
    let account = Account::new("starter");
    let before = account.usage().await;
    let source = account
        .client
        .upload("empty.txt", "text/plain", Vec::new())
        .await;
    let body = json!({"filename": "empty.txt", "format": "pdf", "sourceKey": source});
    let job = account.run_job(&body).await;
    assert_eq!(job["status"], "failed", "{job}");
    assert_eq!(job["error"]["code"], "input_empty");
    assert_eq!(job["creditsCharged"], 0);
    assert_eq!(account.usage().await, before);
}
