//! Results that miss content of their source: the warning, and jobs with `strict=true`.

use serde_json::{Value, json};
use tests::client::unique;

use crate::account::{Account, accepted_job_id};
use crate::problem::assert_error;

/// A table with a row of a fixed height, into which two of its seven words fit.
const DOCUMENT: &str = r"{\rtf1\ansi\deff0{\fonttbl{\f0 Arial;}}
Departures of the ferry\par
\trowd\trrh-300\cellx1500\intbl Monday Tuesday Wednesday Thursday Friday Saturday Sunday\cell\row
\pard Summer timetable\par}";

async fn body(account: &Account) -> Value {
    let bytes = DOCUMENT.as_bytes().to_vec();
    let key = account
        .client
        .upload("ferry.rtf", "application/rtf", bytes)
        .await;
    json!({"sourceKey": key, "filename": "ferry.rtf", "format": "pdf"})
}

async fn create(
    account: &Account,
    query: &str,
    body: &Value,
    key: &str,
) -> tests::client::Response {
    let headers = [("idempotency-key", key)];
    account
        .client
        .post(&format!("/jobs{query}"), &headers, body)
        .await
}

#[tokio::test]
async fn missing_words_are_a_warning_with_their_number() {
    let account = Account::new("starter");
    let job = account.run_job(&body(&account).await).await;
    assert_eq!(job["status"], "completed", "{job}");
    let warnings = job["warnings"].as_array().unwrap();
    let warning = warnings
        .iter()
        .find(|warning| warning["code"] == "content_missing");
    let data = &warning.unwrap_or_else(|| panic!("{job}"))["data"];
    assert_eq!(data["missing"], 5, "{job}");
    assert_eq!(data["of"], 13, "{job}");
}

#[tokio::test]
async fn a_strict_job_with_missing_words_fails_and_is_refunded() {
    let account = Account::new("starter");
    let before = account.remaining().await;
    let key = unique("strict");
    let body = body(&account).await;
    let job = accepted_job_id(&create(&account, "?strict=true", &body, &key).await);
    let job = account.client.wait(&job).await;
    assert_eq!(job["status"], "failed", "{job}");
    assert_eq!(job["error"]["code"], "output_incomplete", "{job}");
    assert_eq!(account.remaining().await, before);
    // The parameter is part of the request.
    for query in ["", "?strict=false"] {
        let again = create(&account, query, &body, &key).await;
        assert_error(&again, 422, "idempotency_key_reused", &[]);
    }
    assert_eq!(
        create(&account, "?strict=true", &body, &key).await.status,
        200
    );
}

#[tokio::test]
async fn a_strict_job_completes_with_warnings_of_other_types() {
    let account = Account::new("starter");
    let page = tests::documents::pdf(1, 200, 200);
    let key = account
        .client
        .upload("page.pdf", "application/pdf", page)
        .await;
    let body = json!({"sourceKey": key, "filename": "page.pdf", "format": "txt"});
    let created = create(&account, "?strict=true", &body, &unique("strict")).await;
    let job = account.client.wait(&accepted_job_id(&created)).await;
    assert_eq!(job["status"], "completed", "{job}");
}

#[tokio::test]
async fn strict_is_a_query_parameter_and_no_member() {
    let account = Account::new("starter");
    let mut body = body(&account).await;
    let invalid = create(&account, "?strict=maybe", &body, &unique("strict")).await;
    assert_error(
        &invalid,
        400,
        "invalid_request",
        &[("$.strict", "invalid_value")],
    );
    body["strict"] = json!(true);
    let refused = create(&account, "", &body, &unique("strict")).await;
    assert_error(
        &refused,
        422,
        "invalid_request",
        &[("$.strict", "unknown_field")],
    );
}
