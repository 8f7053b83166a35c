//! Charges, their units, and refunds.

use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::account::Account;

pub(crate) const UNLIMITED: i64 = 2_147_483_647;

/// Body of a job that compresses an image and converts it to PDF, 3 credits.
async fn two_operation_body(account: &Account) -> Value {
    let mut body = account.compression_body().await;
    body["format"] = json!("pdf");
    body
}

#[tokio::test]
async fn usage_has_the_limits_of_each_plan() {
    for (plan, unit, day, month) in [
        ("free", "requests", 10, 100),
        ("starter", "credits", UNLIMITED, 2_000),
        ("pro", "credits", UNLIMITED, 10_000),
        ("business", "credits", UNLIMITED, UNLIMITED),
    ] {
        let usage = Account::new(plan).client.get("/usage").await;
        let mut body = usage.json();
        let resets = body["resetsAt"].take();
        let expected = json!({
            "plan": plan, "unit": unit, "limits": {"per_day": day, "per_month": month},
            "remaining": {"today": day, "this_month": month}, "resetsAt": null
        });
        assert_eq!(body, expected);
        let (today, month) = (resets["today"].as_i64(), resets["this_month"].as_i64());
        let left = today.unwrap() - now_ms();
        assert!((0..=86_400_000).contains(&left), "{left}");
        assert_eq!(today.unwrap() % 86_400_000, 0);
        assert_eq!(month.unwrap() % 86_400_000, 0);
        assert!(today <= month && month.unwrap() - now_ms() <= 31 * 86_400_000);
    }
}

#[tokio::test]
async fn the_free_plan_counts_requests_not_credits() {
    let account = Account::new("free");
    let bodies = [
        account.conversion_body().await,
        account.compression_body().await,
        two_operation_body(&account).await,
    ];
    for (index, (body, credits)) in bodies.iter().zip([2, 1, 3]).enumerate() {
        let job = account.run_job(body).await;
        assert_eq!(
            (&job["status"], &job["creditsCharged"]),
            (&json!("completed"), &json!(credits))
        );
        let used = i64::try_from(index + 1).unwrap();
        assert_eq!(account.remaining().await, (10 - used, 100 - used));
    }
}

#[tokio::test]
async fn paid_plans_count_credits_per_month() {
    let account = Account::new("starter");
    let mut left = 2_000;
    let bodies = [
        (account.conversion_body().await, 2),
        (account.compression_body().await, 1),
        (two_operation_body(&account).await, 3),
    ];
    for (body, credits) in bodies {
        let job = account.run_job(&body).await;
        assert_eq!(
            (&job["status"], &job["creditsCharged"]),
            (&json!("completed"), &json!(credits))
        );
        left -= credits;
        assert_eq!(account.remaining().await, (UNLIMITED, left));
    }
}

#[tokio::test]
async fn the_business_plan_is_unlimited() {
    let account = Account::new("business");
    let before = account.usage().await;
    let job = account.run_job(&account.conversion_body().await).await;
    assert_eq!(job["creditsCharged"], 2);
    assert_eq!(account.usage().await, before);
}

#[tokio::test]
async fn a_failed_job_is_refunded_once() {
    for plan in ["free", "starter"] {
        let account = Account::new(plan);
        let before = account.usage().await;
        let job = account.run_job(&account.failing_body().await).await;
        assert_eq!(
            (&job["status"], &job["creditsCharged"]),
            (&json!("failed"), &json!(0)),
            "{job}"
        );
        assert_eq!(job["error"]["code"], "content_mismatch");
        assert!(
            job["error"]["message"]
                .as_str()
                .is_some_and(|text| text.len() > 8)
        );
        assert_eq!(job.get("output"), None);
        assert_eq!(account.usage().await, before);
        let path = format!("/jobs/{}", job["jobId"].as_str().unwrap());
        let result = account.client.get(&format!("{path}/result")).await;
        assert_eq!(result.problem(), (409, "job_not_completed".to_owned()));
        let cancelled = account.client.send("DELETE", &path, &[], None).await;
        assert_eq!(cancelled.problem(), (409, "job_not_cancellable".to_owned()));
        assert_eq!(account.usage().await, before);
    }
}

/// Unix milliseconds.
pub(crate) fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    i64::try_from(since.as_millis()).unwrap()
}
