//! Items of `operations` that are refused, each with its path.

use serde_json::{Value, json};

use crate::account::Account;
use crate::refusal::assert_refused;

/// A picture job with these operations.
async fn refused(account: &Account, operations: Value, code: &str, faults: &[(&str, &str)]) {
    let mut body = account.compression().await;
    body["operations"] = operations;
    let before = account.usage().await;
    let answer = account.client.create_job(&body, None).await;
    assert_refused(&answer, 422, code, faults);
    assert_eq!(account.usage().await, before, "{}", body["operations"]);
}

#[tokio::test]
async fn an_operation_that_nobody_knows_is_refused() {
    let account = Account::new("pro");
    for name in ["", "shrink", "Compress", "compress ", "shred", "__proto__"] {
        let fault = ("$.operations[1].operation", "unsupported_operation");
        let operations = json!([{"operation": "compress"}, {"operation": name}]);
        refused(&account, operations, "unsupported_operation", &[fault]).await;
    }
}

#[tokio::test]
async fn an_item_without_a_form_is_refused() {
    let account = Account::new("pro");
    let (item, name) = ("$.operations[0]", "$.operations[0].operation");
    for (value, path, code) in [
        (json!(null), item, "invalid_value"),
        (json!("compress"), item, "invalid_value"),
        (json!([]), item, "invalid_value"),
        (json!({}), name, "missing_field"),
        (json!({"quality": 50}), name, "missing_field"),
        (json!({"operation": null}), name, "invalid_value"),
        (json!({"operation": 7}), name, "invalid_value"),
        (json!({"operation": ["compress"]}), name, "invalid_value"),
    ] {
        refused(&account, json!([value]), "invalid_step", &[(path, code)]).await;
    }
}

#[tokio::test]
async fn options_are_refused_by_name_type_and_bounds() {
    let account = Account::new("pro");
    let path = |name: &str| format!("$.operations[0].{name}");
    for (name, bad) in [
        (
            "quality",
            vec![
                json!(0),
                json!(101),
                json!(-1),
                json!(50.5),
                json!("80"),
                json!([]),
            ],
        ),
        (
            "maxWidth",
            vec![json!(0), json!(-1), json!(65_536), json!(1.5), json!("10")],
        ),
        (
            "maxHeight",
            vec![json!(0), json!(65_536), json!({}), json!(true)],
        ),
        ("format", vec![json!("docx2"), json!(7), json!("")]),
    ] {
        for value in bad {
            let operations = json!([{"operation": "compress", name: value}]);
            let fault = (&*path(name), "invalid_value");
            refused(&account, operations, "invalid_step", &[fault]).await;
        }
    }
    for name in ["colour", "Quality", "max_width", ""] {
        let operations = json!([{"operation": "compress", name: 1}]);
        let fault = (&*path(name), "unknown_field");
        refused(&account, operations, "invalid_step", &[fault]).await;
    }
    let fault = ("$.operations[0].format", "missing_field");
    refused(
        &account,
        json!([{"operation": "convert"}]),
        "invalid_step",
        &[fault],
    )
    .await;
}

#[tokio::test]
async fn a_step_must_fit_what_the_one_before_leaves() {
    let account = Account::new("pro");
    let operations =
        json!([{"operation": "convert", "format": "pdf"}, {"operation": "resize", "width": 9}]);
    let fault = ("$.operations[1].operation", "invalid_step");
    refused(&account, operations, "invalid_step", &[fault]).await;
    let operations = json!([{"operation": "compress", "format": "pdf"}]);
    let fault = ("$.operations[0].format", "invalid_step");
    refused(&account, operations, "invalid_step", &[fault]).await;
}

#[tokio::test]
async fn a_picture_may_be_as_large_as_the_plan_says() {
    for (plan, side) in [
        ("free", 4_000),
        ("starter", 8_000),
        ("pro", 12_000),
        ("business", 20_000),
    ] {
        let account = Account::new(plan);
        let mut body = account.compression().await;
        for name in ["maxWidth", "maxHeight"] {
            body["operations"] = json!([{"operation": "compress", name: side + 1}]);
            let answer = account.client.create_job(&body, None).await;
            let path = format!("$.operations[0].{name}");
            assert_refused(
                &answer,
                422,
                "output_too_large",
                &[(&path, "output_too_large")],
            );
        }
        body["operations"] =
            json!([{"operation": "compress", "maxWidth": side, "maxHeight": side}]);
        account.accept(&body).await;
    }
}

#[tokio::test]
async fn operations_may_take_thirty_two_kilobytes() {
    let account = Account::new("pro");
    let list = |padding: usize| json!([{"operation": "compress", "x": "y".repeat(padding)}]);
    let room = 32 * 1_024 - list(0).to_string().len();
    let unknown = ("$.operations[0].x", "unknown_field");
    refused(&account, list(room), "invalid_step", &[unknown]).await;
    let too_large = ("$.operations", "invalid_value");
    refused(&account, list(room + 1), "invalid_request", &[too_large]).await;
}
