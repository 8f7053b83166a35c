//! Replays: one key, one body, one job, one charge.

use serde_json::json;
use tests::client::{Answer, unique};
use tests::stack::admin;

use crate::account::{Account, accepted, job_id};
use crate::refusal::assert_refused;

fn assert_replayed(answer: &Answer, job: &str, status: &str) {
    assert_eq!(answer.status, 200, "{}", answer.text());
    let expected = json!({
        "jobId": job, "status": status, "created": false, "statusUrl": format!("/api/v1/jobs/{job}"),
        "resultUrl": format!("/api/v1/jobs/{job}/result"), "processor": "process-ocr"
    });
    assert_eq!(answer.json(), expected);
    assert_eq!(answer.header("idempotency-replayed"), "true");
    assert_eq!(answer.header("location"), format!("/api/v1/jobs/{job}"));
}

#[tokio::test]
async fn a_replay_answers_the_job_as_it_is_now_and_charges_nothing() {
    let account = Account::new("starter");
    let (body, key) = (account.conversion().await, unique("replay"));
    let job = accepted(&account.client.create_job(&body, Some(&key)).await);
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
async fn the_order_of_members_and_white_space_do_not_matter() {
    let account = Account::new("starter");
    let (mut body, key) = (account.conversion().await, unique("order"));
    body["metadata"] = json!({"a": {"b": 1, "c": [1, 2]}, "d": "ü"});
    let job = accepted(&account.client.create_job(&body, Some(&key)).await);
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
async fn the_same_key_with_another_body_is_refused() {
    let account = Account::new("starter");
    let (body, key) = (account.conversion().await, unique("reused"));
    let job = accepted(&account.client.create_job(&body, Some(&key)).await);
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
        let answer = account.client.create_job(&other, Some(&key)).await;
        assert_refused(&answer, 422, "idempotency_key_reused", &[]);
    }
    assert_eq!(account.remaining().await, before);
    assert_eq!(account.jobs().await, [job]);
}

#[tokio::test]
async fn a_replay_works_with_nothing_left_and_a_refusal_uses_up_no_key() {
    let account = Account::new("free");
    let (body, key, late) = (account.conversion().await, unique("left"), unique("late"));
    let job = accepted(&account.client.create_job(&body, Some(&key)).await);
    account.client.wait(&job).await;
    account.set_used(10, 10);
    let refused = account.client.create_job(&body, Some(&late)).await;
    assert_eq!(refused.refusal(), (402, "quota_exceeded".to_owned()));
    let again = account.client.create_job(&body, Some(&key)).await;
    assert_replayed(&again, &job, "completed");
    account.set_used(9, 9);
    let other = accepted(&account.client.create_job(&body, Some(&late)).await);
    assert_ne!(other, job);
}

#[tokio::test]
async fn a_key_belongs_to_one_account() {
    let (one, two) = (Account::new("business"), Account::new("business"));
    let key = unique("shared");
    let first = one
        .client
        .create_job(&one.conversion().await, Some(&key))
        .await;
    let second = two
        .client
        .create_job(&two.conversion().await, Some(&key))
        .await;
    assert_ne!(accepted(&first), accepted(&second));
}

#[tokio::test]
async fn any_key_of_the_account_may_replay() {
    let account = Account::new("business");
    let (body, key) = (account.conversion().await, unique("two-keys"));
    let job = accepted(&account.client.create_job(&body, Some(&key)).await);
    let (_, other) = account.new_key(&[]);
    let other = tests::client::Client::with_key(Some(&other));
    let again = other.create_job(&body, Some(&key)).await;
    assert_eq!((again.status, job_id(&again.json())), (200, job));
}

#[tokio::test]
async fn a_replay_works_on_a_smaller_plan() {
    let account = Account::new("pro");
    let (mut body, key) = (account.compression().await, unique("smaller"));
    body["operations"] = json!([{"operation": "compress", "maxWidth": 12_000}]);
    let job = accepted(&account.client.create_job(&body, Some(&key)).await);
    admin(&["account", "set-plan", &account.id, "--plan", "free"]);
    let new = account.client.create_job(&body, None).await;
    assert_eq!(new.refusal(), (422, "output_too_large".to_owned()));
    let again = account.client.create_job(&body, Some(&key)).await;
    assert_eq!(again.status, 200, "{}", again.text());
    assert_eq!(job_id(&again.json()), job);
}
