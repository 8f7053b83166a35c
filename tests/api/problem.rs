//! Assertions on problem details. `tests::conformance` validates their schema; these check the values.

use serde_json::{Value, json};
use tests::client::Response;

/// Asserts status, error code, and `(path, code)` of each entry of `errors`.
pub(crate) fn assert_error(
    response: &Response,
    status: u16,
    code: &str,
    expected_errors: &[(&str, &str)],
) {
    assert_eq!(
        response.problem(),
        (status, code.to_owned()),
        "{}",
        response.text()
    );
    let errors = response.json()["errors"].take();
    let found: Vec<(&str, &str)> = errors
        .as_array()
        .unwrap()
        .iter()
        .map(path_and_code)
        .collect();
    assert_eq!(found, expected_errors, "{}", response.text());
}

fn path_and_code(error: &Value) -> (&str, &str) {
    (
        error["path"].as_str().unwrap(),
        error["code"].as_str().unwrap(),
    )
}

/// Returns the body with `requestId` and `instance` masked, to compare responses.
pub(crate) fn without_request_id(response: &Response) -> String {
    let problem = response.json();
    let text = |member: &str| problem[member].to_string();
    response
        .text()
        .replace(&text("requestId"), "…")
        .replace(&text("instance"), "…")
}

/// Asserts the whole body except `requestId`, `detail` and `error`.
pub(crate) fn assert_problem(response: &Response, expected: &Value) {
    let mut problem = response.json();
    let detail = problem["detail"].take();
    assert!(
        detail.as_str().is_some_and(|text| text.len() > 8),
        "{detail}"
    );
    let members = problem.as_object_mut().unwrap();
    for member in ["requestId", "detail", "error"] {
        assert!(members.remove(member).is_some(), "{member}");
    }
    assert_eq!(&problem, expected);
}

/// Problem details to compare with [`assert_problem`].
pub(crate) fn expected_problem(
    status: u16,
    code: &str,
    title: &str,
    path: &str,
    retryable: bool,
) -> Value {
    json!({
        "type": format!("urn:octavo:problem:{code}"),
        "title": title,
        "status": status,
        "instance": format!("/api/v1{path}"),
        "code": code,
        "retryable": retryable,
        "errors": [],
    })
}
