//! Idempotency of job creation: a key and body create and charge one job.

use serde_json::json;
use tests::client::{Response, unique};
use tests::stack::admin;

use crate::account::{Account, accepted_job_id, job_id};
use crate::problem::assert_error;

fn assert_replayed(response: &Response, job: &str, status: &str) {
    assert_eq!(response.status, 200, "{}", response.text());
    let expected = json!({
        "jobId": job, "status": status, "created": false, "statusUrl": format!("/api/v1/jobs/{job}"),
        "resultUrl": format!("/api/v1/jobs/{job}/result"), "processor": "process-ocr"
    });
    assert_eq!(response.json(), expected);
    assert_eq!(response.header("idempotency-replayed"), "true");
    assert_eq!(response.header("location"), format!("/api/v1/jobs/{job}"));
}

#[tokio::test]
async fn a_replay_returns_the_current_job_and_charges_nothing() {
    let account = Account::new("starter");
    let (body, key) = (account.conversion_body().await, unique("replay"));
    let job = accepted_job_id(&account.client.create_job(&body, Some(&key)).await);
    account.client.wait(&job).await;
    let before = account.usage().await;
    for _ in 0..2 {
        let again = account.client.create_job(&body, Some(&key)).await;
        assert_replayed(&again, &job, "completed");
    }
    assert_eq!(account.usage().await, before);
    assert_eq!(account.jobs().await, [job]);
}

#[tokio::test]
async fn field_order_and_white_space_do_not_matter() {
    let account = Account::new("starter");
    let (mut body, key) = (account.conversion_body().await, unique("order"));
    body["metadata"] = json!({"a": {"b": 1, "c": [1, 2]}, "d": "ü"});
    let job = accepted_job_id(&account.client.create_job(&body, Some(&key)).await);
    account.client.wait(&job).await;
    let source = body["sourceKey"].as_str().unwrap();
    let same = format!(
        "{{\n \"sourceKey\": \"{source}\",\t\"metadata\": {{\"d\": \"\\u00fc\", \"a\": {{\"c\": [1, 2], \"b\": 1}}}}, \
         \"format\": \"txt\", \"filename\": \"page.pdf\" }}\n"
    );
    let headers = [
        ("idempotency-key", key.as_str()),
        ("content-type", "application/json"),
    ];
    let sent = Some(same.into_bytes());
    let again = account.client.send("POST", "/jobs", &headers, sent).await;
    assert_replayed(&again, &job, "completed");
}

#[tokio::test]
async fn reusing_a_key_with_another_body_is_rejected() {
    let account = Account::new("starter");
    let (body, key) = (account.conversion_body().await, unique("reused"));
    let job = accepted_job_id(&account.client.create_job(&body, Some(&key)).await);
    let before = account.remaining().await;
    for (name, value) in [
        ("metadata", json!({})),
        ("format", json!("png")),
        ("format", json!("TXT")),
        ("filename", json!("other.pdf")),
        ("operations", json!([])),
        ("inputFormat", json!("pdf")),
    ] {
        let mut other = body.clone();
        other[name] = value;
        let response = account.client.create_job(&other, Some(&key)).await;
        assert_error(&response, 422, "idempotency_key_reused", &[]);
    }
    assert_eq!(account.remaining().await, before);
    assert_eq!(account.jobs().await, [job]);
}

#[tokio::test]
async fn a_replay_works_without_quota_and_an_error_does_not_consume_the_key() {
    let account = Account::new("free");
    let (body, key, late) = (
        account.conversion_body().await,
        unique("left"),
        unique("late"),
    );
    let job = accepted_job_id(&account.client.create_job(&body, Some(&key)).await);
    account.client.wait(&job).await;
    account.set_used(10, 10);
    let refused = account.client.create_job(&body, Some(&late)).await;
    assert_eq!(refused.problem(), (402, "quota_exceeded".to_owned()));
    let again = account.client.create_job(&body, Some(&key)).await;
    assert_replayed(&again, &job, "completed");
    account.set_used(9, 9);
    let other = accepted_job_id(&account.client.create_job(&body, Some(&late)).await);
    assert_ne!(other, job);
}

#[tokio::test]
async fn a_key_belongs_to_one_account() {
    let (one, two) = (Account::new("business"), Account::new("business"));
    let key = unique("shared");
    let first = one
        .client
        .create_job(&one.conversion_body().await, Some(&key))
        .await;
    let second = two
        .client
        .create_job(&two.conversion_body().await, Some(&key))
        .await;
    assert_ne!(accepted_job_id(&first), accepted_job_id(&second));
}

#[tokio::test]
async fn a_replay_works_with_any_api_key_of_the_account() {
    let account = Account::new("business");
    let (body, key) = (account.conversion_body().await, unique("two-keys"));
    let job = accepted_job_id(&account.client.create_job(&body, Some(&key)).await);
    let (_, other) = account.new_key(&[]);
    let other = tests::client::Client::with_key(Some(&other));
    let again = other.create_job(&body, Some(&key)).await;
    assert_eq!((again.status, job_id(&again.json())), (200, job));
}

#[tokio::test]
async fn a_replay_works_after_a_downgrade() {
    let account = Account::new("pro");
    let (mut body, key) = (account.compression_body().await, unique("smaller"));
    body["operations"] = json!([{"operation": "compress", "maxWidth": 12_000}]);
    let job = accepted_job_id(&account.client.create_job(&body, Some(&key)).await);
    admin(&["account", "set-plan", &account.id, "--plan", "free"]);
    let new = account.client.create_job(&body, None).await;
    assert_eq!(new.problem(), (422, "output_too_large".to_owned()));
    let again = account.client.create_job(&body, Some(&key)).await;
    assert_eq!(again.status, 200, "{}", again.text());
    assert_eq!(job_id(&again.json()), job);
}
