//! Validation of `operations`: each invalid item is reported with its path.

use serde_json::{Value, json};

use crate::account::Account;
use crate::problem::assert_error;

/// Asserts that an image job with these operations is rejected.
async fn assert_rejected(
    account: &Account,
    operations: Value,
    code: &str,
    expected_errors: &[(&str, &str)],
) {
    let mut body = account.compression_body().await;
    body["operations"] = operations;
    let before = account.usage().await;
    let response = account.client.create_job(&body, None).await;
    assert_error(&response, 422, code, expected_errors);
    assert_eq!(account.usage().await, before, "{}", body["operations"]);
}

#[tokio::test]
async fn an_unknown_operation_is_rejected() {
    let account = Account::new("pro");
    for name in ["", "shrink", "Compress", "compress ", "shred", "__proto__"] {
        let expected_error = ("$.operations[1].operation", "unsupported_operation");
        let operations = json!([{"operation": "compress"}, {"operation": name}]);
        assert_rejected(
            &account,
            operations,
            "unsupported_operation",
            &[expected_error],
        )
        .await;
    }
}

#[tokio::test]
async fn earlier_spellings_of_optimize_are_accepted() {
    let account = Account::new("pro");
    let pdf = tests::documents::pdf(1, 595, 842);
    let source = account
        .client
        .upload("report.pdf", "application/pdf", pdf)
        .await;
    for (number, name) in ["optimise", "optimisation", "optimization"]
        .iter()
        .enumerate()
    {
        let steps = json!([{"operation": name}]);
        let job = json!({"sourceKey": source, "filename": "report.pdf", "format": "pdf", "operations": steps});
        let pipeline = json!({"sourceKey": source, "filename": "report.pdf", "steps": steps});
        let key = format!("spelling-{number}");
        for (path, body) in [("/jobs", job), ("/pipeline", pipeline)] {
            let headers = [("Idempotency-Key", key.as_str())];
            let response = account.client.post(path, &headers, &body).await;
            assert_eq!(response.status, 202, "{path} {name}: {}", response.text());
            let id = response.json()["jobId"].as_str().unwrap().to_owned();
            let job = account.client.wait(&id).await;
            assert_eq!(job["operation"], "optimize", "{path} {name}: {job}");
            assert_eq!(job["status"], "completed", "{path} {name}: {job}");
        }
    }
}

#[tokio::test]
async fn a_malformed_item_is_rejected() {
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
        assert_rejected(&account, json!([value]), "invalid_step", &[(path, code)]).await;
    }
}

#[tokio::test]
async fn options_are_validated_by_name_type_and_range() {
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
            let expected_error = (&*path(name), "invalid_value");
            assert_rejected(&account, operations, "invalid_step", &[expected_error]).await;
        }
    }
    for name in ["unknown", "Quality", "max_width", ""] {
        let operations = json!([{"operation": "compress", name: 1}]);
        let expected_error = (&*path(name), "unknown_field");
        assert_rejected(&account, operations, "invalid_step", &[expected_error]).await;
    }
    let expected_error = ("$.operations[0].format", "missing_field");
    assert_rejected(
        &account,
        json!([{"operation": "convert"}]),
        "invalid_step",
        &[expected_error],
    )
    .await;
}

#[tokio::test]
async fn a_step_must_accept_the_output_of_the_previous_one() {
    let account = Account::new("pro");
    let operations =
        json!([{"operation": "convert", "format": "pdf"}, {"operation": "resize", "width": 9}]);
    let expected_error = ("$.operations[1].operation", "invalid_step");
    assert_rejected(&account, operations, "invalid_step", &[expected_error]).await;
    let operations = json!([{"operation": "compress", "format": "pdf"}]);
    let expected_error = ("$.operations[0].format", "invalid_step");
    assert_rejected(&account, operations, "invalid_step", &[expected_error]).await;
}

#[tokio::test]
async fn image_size_is_limited_by_the_plan() {
    for (plan, side) in [
        ("free", 4_000),
        ("starter", 8_000),
        ("pro", 12_000),
        ("business", 20_000),
    ] {
        let account = Account::new(plan);
        let mut body = account.compression_body().await;
        for name in ["maxWidth", "maxHeight"] {
            body["operations"] = json!([{"operation": "compress", name: side + 1}]);
            let response = account.client.create_job(&body, None).await;
            let path = format!("$.operations[0].{name}");
            assert_error(
                &response,
                422,
                "output_too_large",
                &[(&path, "output_too_large")],
            );
        }
        body["operations"] =
            json!([{"operation": "compress", "maxWidth": side, "maxHeight": side}]);
        account.submit_job(&body).await;
    }
}

#[tokio::test]
async fn operations_are_limited_to_32_kilobytes() {
    let account = Account::new("pro");
    let list = |padding: usize| json!([{"operation": "compress", "x": "y".repeat(padding)}]);
    let room = 32 * 1_024 - list(0).to_string().len();
    let unknown = ("$.operations[0].x", "unknown_field");
    assert_rejected(&account, list(room), "invalid_step", &[unknown]).await;
    let too_large = ("$.operations", "invalid_value");
    assert_rejected(&account, list(room + 1), "invalid_request", &[too_large]).await;
}
