//! Exhausted quotas: 402 until the next day or month.

use serde_json::{Value, json};
use tests::client::Response;

use crate::account::Account;
use crate::billing::{UNLIMITED, now_ms};
use crate::problem::{assert_problem, expected_problem};

#[tokio::test]
async fn an_exhausted_day_is_rejected_until_midnight() {
    let account = Account::new("free");
    let body = account.conversion_body().await;
    account.set_used(10, 10);
    let usage = account.usage().await;
    assert_eq!(usage["remaining"], json!({"today": 0, "this_month": 90}));
    let response = account.client.create_job(&body, None).await;
    let title = "The requests of the plan are used up";
    check_quota_exceeded(
        &response,
        "quota_exceeded",
        title,
        &usage["resetsAt"]["today"],
    );
    assert_eq!(account.usage().await, usage);
    account.set_used(9, 10);
    account.submit_job(&body).await;
}

#[tokio::test]
async fn an_exhausted_month_is_rejected_until_the_next() {
    let account = Account::new("free");
    let body = account.conversion_body().await;
    account.set_used(3, 100);
    let usage = account.usage().await;
    assert_eq!(usage["remaining"], json!({"today": 7, "this_month": 0}));
    let response = account.client.create_job(&body, None).await;
    let title = "The requests of the plan are used up";
    check_quota_exceeded(
        &response,
        "quota_exceeded",
        title,
        &usage["resetsAt"]["this_month"],
    );
}

#[tokio::test]
async fn only_jobs_within_the_remaining_credits_are_accepted() {
    let account = Account::new("starter");
    let (two, one) = (
        account.conversion_body().await,
        account.compression_body().await,
    );
    account.set_used(0, 1_999);
    let usage = account.usage().await;
    let response = account.client.create_job(&two, None).await;
    let title = "The credits of the plan are used up";
    check_quota_exceeded(
        &response,
        "credits_exhausted",
        title,
        &usage["resetsAt"]["this_month"],
    );
    account.run_job(&one).await;
    assert_eq!(account.remaining().await, (UNLIMITED, 0));
    let response = account.client.create_job(&one, None).await;
    check_quota_exceeded(
        &response,
        "credits_exhausted",
        title,
        &usage["resetsAt"]["this_month"],
    );
}

fn check_quota_exceeded(response: &Response, code: &str, title: &str, resets_at: &Value) {
    let mut expected = expected_problem(402, code, title, "/jobs", true);
    expected["resetsAt"] = resets_at.clone();
    assert_problem(response, &expected);
    let seconds: i64 = response.header("retry-after").parse().unwrap();
    let until = (resets_at.as_i64().unwrap() - now_ms()) / 1_000;
    assert!(
        (until..=until + 2).contains(&seconds),
        "{seconds}, not {until}"
    );
}
