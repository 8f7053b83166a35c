//! What a refusal must look like. `tests::conformance` holds its shape; here is what it says.

use serde_json::{Value, json};
use tests::client::Answer;

/// Status, code, and `(path, code)` of each member at fault.
pub(crate) fn assert_refused(answer: &Answer, status: u16, code: &str, faults: &[(&str, &str)]) {
    assert_eq!(
        answer.refusal(),
        (status, code.to_owned()),
        "{}",
        answer.text()
    );
    let errors = answer.json()["errors"].take();
    let found: Vec<(&str, &str)> = errors
        .as_array()
        .unwrap()
        .iter()
        .map(path_and_code)
        .collect();
    assert_eq!(found, faults, "{}", answer.text());
}

fn path_and_code(error: &Value) -> (&str, &str) {
    (
        error["path"].as_str().unwrap(),
        error["code"].as_str().unwrap(),
    )
}

/// The bytes of a refusal, without the identifier of the request and the path asked for.
pub(crate) fn anonymous(answer: &Answer) -> String {
    let problem = answer.json();
    let text = |member: &str| problem[member].to_string();
    answer
        .text()
        .replace(&text("requestId"), "…")
        .replace(&text("instance"), "…")
}

/// The whole body of a refusal, but for `requestId`.
pub(crate) fn assert_problem(answer: &Answer, expected: &Value) {
    let mut problem = answer.json();
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

/// A problem as [`assert_problem`] wants it.
pub(crate) fn problem(status: u16, code: &str, title: &str, path: &str, retryable: bool) -> Value {
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
