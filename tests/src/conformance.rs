//! Validates every API response against `infra/openapi.json`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

use jsonschema::Validator;
use serde_json::{Value, json};

use crate::response::Response;
use crate::stack::checkout;

/// Error codes of requests outside the operations of OpenAPI.
const OUTSIDE_OPERATIONS: [&str; 2] = ["route_not_found", "method_not_allowed"];

/// Statuses that the gateway itself returns, without problem details.
const GATEWAY_STATUSES: [u16; 5] = [413, 429, 502, 503, 504];

/// The checked-in OpenAPI document.
pub fn description() -> &'static Value {
    static DESCRIPTION: OnceLock<Value> = OnceLock::new();
    DESCRIPTION.get_or_init(|| {
        let text = std::fs::read(checkout().join("infra/openapi.json")).unwrap();
        serde_json::from_slice(&text).unwrap()
    })
}

/// Validates one response; `path` is relative to the base path.
///
/// # Panics
/// If OpenAPI does not allow the response.
pub fn check(method: &str, path: &str, response: &Response) {
    let path = path.split('?').next().unwrap_or(path);
    let about = format!("{method} {path}: {} {}", response.status, response.text());
    let is_problem = response.header("content-type") == "application/problem+json";
    if !is_problem && GATEWAY_STATUSES.contains(&response.status) {
        return;
    }
    let expected = described_response(method, path, response.status);
    check_headers(method, expected, response, &about);
    if is_problem && !response.bytes.is_empty() {
        check_problem(path, expected, response, &about);
    } else if method != "HEAD" {
        check_success(expected, response, &about);
    }
}

fn check_headers(method: &str, expected: Option<&Value>, response: &Response, about: &str) {
    assert!(!response.header("x-request-id").is_empty(), "{about}");
    assert_eq!(
        response.header("x-content-type-options"),
        "nosniff",
        "{about}"
    );
    let public = response.header("cache-control") == "public, max-age=300";
    assert!(
        public || response.header("cache-control") == "no-store",
        "{about}"
    );
    let needed: &[&str] = match response.status {
        401 | 403 => &["www-authenticate"],
        402 | 429 => &["retry-after"],
        405 => &["allow"],
        302 => &["location"],
        _ => &[],
    };
    // Accepted work has a `Location`, except redeliveries, which are visible in the delivery list.
    let accepted = expected.filter(|_| response.status == 202);
    let location = accepted.and_then(|expected| expected["headers"].get("Location"));
    let location = location.map(|_| "location");
    for name in needed.iter().copied().chain(location) {
        assert!(!response.header(name).is_empty(), "no {name}: {about}");
    }
    assert!(method != "HEAD" || response.bytes.is_empty(), "{about}");
}

fn check_success(expected: Option<&Value>, response: &Response, about: &str) {
    let expected = expected.unwrap_or_else(|| panic!("not in OpenAPI: {about}"));
    let content = &expected["content"];
    let media_type = response.header("content-type");
    match content.get("application/json") {
        _ if is_file(content, media_type) => {
            let disposition = response.header("content-disposition");
            assert!(disposition.starts_with("attachment; "), "{about}");
            assert!(!response.bytes.is_empty(), "{about}");
        }
        None => assert!(response.bytes.is_empty(), "unexpected body: {about}"),
        Some(content) => {
            assert_eq!(media_type, "application/json", "{about}");
            check_schema(&content["schema"], response, about);
        }
    }
    if expected["headers"].get("RateLimit").is_some() {
        for name in ["ratelimit", "ratelimit-policy"] {
            assert!(!response.header(name).is_empty(), "no {name}: {about}");
        }
    }
}

/// Whether a body of this type is a file, not JSON with a schema.
fn is_file(content: &Value, media_type: &str) -> bool {
    media_type != "application/json" && content.get(media_type).is_some()
}

fn check_problem(path: &str, expected: Option<&Value>, response: &Response, about: &str) {
    check_schema(
        &json!({"$ref": "#/components/schemas/Problem"}),
        response,
        about,
    );
    let problem = response.json();
    let code = problem["code"].as_str().unwrap();
    if !OUTSIDE_OPERATIONS.contains(&code) {
        let expected = expected.unwrap_or_else(|| panic!("not in OpenAPI: {about}"));
        let described = expected["content"]["application/problem+json"]["examples"].get(code);
        assert!(
            described.is_some(),
            "an error code that is not in OpenAPI: {about}"
        );
    }
    assert_eq!(
        problem["type"],
        format!("urn:octavo:problem:{code}"),
        "{about}"
    );
    assert_eq!(problem["status"], response.status, "{about}");
    assert_eq!(
        problem["requestId"],
        response.header("x-request-id"),
        "{about}"
    );
    let error = json!({"code": code, "message": problem["detail"]});
    assert_eq!(problem["error"], error, "{about}");
    assert!(
        path.contains('%') || problem["instance"] == format!("/api/v1{path}"),
        "{about}"
    );
}

fn check_schema(schema: &Value, response: &Response, about: &str) {
    let validator = validator(schema);
    let errors: Vec<String> = validator
        .iter_errors(&response.json())
        .map(|error| format!("{} at {}", error, error.instance_path()))
        .collect();
    assert!(
        errors.is_empty(),
        "violates the schema: {errors:?}\n{about}"
    );
}

/// Returns the response object of an operation and status.
fn described_response(method: &str, path: &str, status: u16) -> Option<&'static Value> {
    let paths = description()["paths"].as_object().unwrap();
    let (_, operations) = paths
        .iter()
        .find(|(template, _)| matches_template(template, path))?;
    operations
        .get(method.to_lowercase())?
        .get("responses")?
        .get(status.to_string())
}

fn matches_template(template: &str, path: &str) -> bool {
    let (template, path) = (template.split('/'), path.split('/'));
    template.clone().count() == path.clone().count()
        && template
            .zip(path)
            .all(|(expected, segment)| expected.starts_with('{') || expected == segment)
}

fn validator(schema: &Value) -> Arc<Validator> {
    static CACHE: OnceLock<Mutex<HashMap<String, Arc<Validator>>>> = OnceLock::new();
    let mut cache = CACHE.get_or_init(Mutex::default).lock().unwrap();
    let compile = || {
        let root = json!({"allOf": [schema], "components": {"schemas": closed_schemas()}});
        Arc::new(jsonschema::draft202012::new(&root).unwrap())
    };
    Arc::clone(cache.entry(schema.to_string()).or_insert_with(compile))
}

/// The schemas with `additionalProperties: false`, so that undocumented response members fail.
fn closed_schemas() -> Value {
    let mut schemas = description()["components"]["schemas"].clone();
    for schema in schemas.as_object_mut().unwrap().values_mut() {
        if schema.get("properties").is_some() {
            schema["additionalProperties"] = json!(false);
        }
    }
    schemas
}
