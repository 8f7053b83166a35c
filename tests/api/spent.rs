//! Plans whose counter is spent: 402 until it starts anew.

use serde_json::{Value, json};
use tests::client::Answer;

use crate::account::Account;
use crate::billing::{UNLIMITED, now};
use crate::refusal::{assert_problem, problem};

#[tokio::test]
async fn a_spent_day_is_refused_until_midnight() {
    let account = Account::new("free");
    let body = account.conversion().await;
    account.set_used(10, 10);
    let usage = account.usage().await;
    assert_eq!(usage["remaining"], json!({"today": 0, "this_month": 90}));
    let answer = account.client.create_job(&body, None).await;
    let title = "The plan's requests are used up";
    check_spent(
        &answer,
        "quota_exceeded",
        title,
        &usage["resetsAt"]["today"],
    );
    assert_eq!(account.usage().await, usage);
    account.set_used(9, 10);
    account.accept(&body).await;
}

#[tokio::test]
async fn a_spent_month_is_refused_until_the_next() {
    let account = Account::new("free");
    let body = account.conversion().await;
    account.set_used(3, 100);
    let usage = account.usage().await;
    assert_eq!(usage["remaining"], json!({"today": 7, "this_month": 0}));
    let answer = account.client.create_job(&body, None).await;
    let title = "The plan's requests are used up";
    check_spent(
        &answer,
        "quota_exceeded",
        title,
        &usage["resetsAt"]["this_month"],
    );
}

#[tokio::test]
async fn what_costs_more_than_is_left_is_refused_and_what_fits_is_not() {
    let account = Account::new("starter");
    let (two, one) = (account.conversion().await, account.compression().await);
    account.set_used(0, 1_999);
    let usage = account.usage().await;
    let answer = account.client.create_job(&two, None).await;
    let title = "The plan's credits are used up";
    check_spent(
        &answer,
        "credits_exhausted",
        title,
        &usage["resetsAt"]["this_month"],
    );
    account.ended(&one).await;
    assert_eq!(account.remaining().await, (UNLIMITED, 0));
    let answer = account.client.create_job(&one, None).await;
    check_spent(
        &answer,
        "credits_exhausted",
        title,
        &usage["resetsAt"]["this_month"],
    );
}

fn check_spent(answer: &Answer, code: &str, title: &str, resets_at: &Value) {
    let mut expected = problem(402, code, title, "/jobs", true);
    expected["resetsAt"] = resets_at.clone();
    assert_problem(answer, &expected);
    let seconds: i64 = answer.header("retry-after").parse().unwrap();
    let until = (resets_at.as_i64().unwrap() - now()) / 1_000;
    assert!(
        (until..=until + 2).contains(&seconds),
        "{seconds}, not {until}"
    );
}
