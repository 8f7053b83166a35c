//! The default locale of an account, and the locale of a request.

use serde_json::{Value, json};
use tests::stack::admin;

use crate::account::{Account, accepted_job_id};
use crate::problem::assert_error;

/// A text, which has no paper size, as PDF.
async fn paper(account: &Account, operations: Value) -> Vec<u8> {
    let text = b"Departures of the ferry".to_vec();
    let key = account.client.upload("ferry.txt", "text/plain", text).await;
    let body = json!({
        "sourceKey": key, "filename": "ferry.txt", "format": "pdf", "operations": operations
    });
    let created = account.client.create_job(&body, None).await;
    let job = account.client.wait(&accepted_job_id(&created)).await;
    assert_eq!(job["status"], "completed", "{job}");
    account.client.result(&job).await
}

/// Whether a PDF by LibreOffice has pages of A4, 595 points wide, instead of Letter.
fn is_a4(pdf: &[u8]) -> bool {
    let pdf = String::from_utf8_lossy(pdf);
    let media_box = pdf.split("/MediaBox").nth(1).unwrap();
    let numbers = media_box.trim_start_matches(['[', ' ']).split([' ', '.']);
    match numbers.filter(|part| !part.is_empty()).nth(2).unwrap() {
        "595" => true,
        "612" => false,
        other => panic!("{other}"),
    }
}

#[tokio::test]
async fn the_default_of_the_account_applies_where_a_request_names_no_locale() {
    let account = Account::new("pro");
    assert!(!is_a4(&paper(&account, json!([])).await));
    admin(&["account", "set-locale", &account.id, "--locale", "de-DE"]);
    assert!(is_a4(&paper(&account, json!([])).await));
    let american = json!([{"operation": "convert", "format": "pdf", "locale": "en-US"}]);
    assert!(!is_a4(&paper(&account, american).await));
    admin(&["account", "set-locale", &account.id]);
    assert!(!is_a4(&paper(&account, json!([])).await));
}

#[tokio::test]
async fn an_unknown_locale_and_one_that_does_not_apply_are_rejected() {
    let account = Account::new("pro");
    let body = account.conversion_body().await;
    for (locale, code) in [("klingon", "invalid_value"), ("de-DE", "invalid_step")] {
        let mut body = body.clone();
        body["operations"] = json!([{"operation": "convert", "format": "txt", "locale": locale}]);
        let rejected = account.client.create_job(&body, None).await;
        let path = "$.operations[0].locale";
        assert_error(&rejected, 422, "invalid_step", &[(path, code)]);
    }
}
