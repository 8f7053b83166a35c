//! Holds every answer of the API against its description, `infra/openapi.json`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

use jsonschema::Validator;
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::stack::checkout;

/// Codes of what is no operation, which OpenAPI therefore cannot list.
const OF_NO_OPERATION: [&str; 2] = ["route_not_found", "method_not_allowed"];

/// Answers of the gateway itself, which are no problem documents.
const OF_THE_GATEWAY: [u16; 5] = [413, 429, 502, 503, 504];

/// The description as it is checked in.
pub fn description() -> &'static Value {
    static DESCRIPTION: OnceLock<Value> = OnceLock::new();
    DESCRIPTION.get_or_init(|| {
        let text = std::fs::read(checkout().join("infra/openapi.json")).unwrap();
        serde_json::from_slice(&text).unwrap()
    })
}

/// Checks one answer; `path` begins below the base path.
///
/// # Panics
/// When the answer is not one that the description allows.
pub fn check(method: &str, path: &str, answer: &Answer) {
    let path = path.split('?').next().unwrap_or(path);
    let about = format!("{method} {path}: {} {}", answer.status, answer.text());
    let is_problem = answer.header("content-type") == "application/problem+json";
    if !is_problem && OF_THE_GATEWAY.contains(&answer.status) {
        return;
    }
    let response = response(method, path, answer.status);
    check_headers(method, response, answer, &about);
    if is_problem && !answer.bytes.is_empty() {
        check_problem(path, response, answer, &about);
    } else if method != "HEAD" {
        check_success(response, answer, &about);
    }
}

fn check_headers(method: &str, response: Option<&Value>, answer: &Answer, about: &str) {
    assert!(!answer.header("x-request-id").is_empty(), "{about}");
    assert_eq!(
        answer.header("x-content-type-options"),
        "nosniff",
        "{about}"
    );
    let public = answer.header("cache-control") == "public, max-age=300";
    assert!(
        public || answer.header("cache-control") == "no-store",
        "{about}"
    );
    let needed: &[&str] = match answer.status {
        401 | 403 => &["www-authenticate"],
        402 | 429 => &["retry-after"],
        405 => &["allow"],
        302 => &["location"],
        _ => &[],
    };
    // Who has to come back is told where; a delivery that is on its way is looked at in its list.
    let accepted = response.filter(|_| answer.status == 202);
    let told = accepted.and_then(|response| response["headers"].get("Location"));
    let told = told.map(|_| "location");
    for name in needed.iter().copied().chain(told) {
        assert!(!answer.header(name).is_empty(), "no {name}: {about}");
    }
    assert!(method != "HEAD" || answer.bytes.is_empty(), "{about}");
}

fn check_success(response: Option<&Value>, answer: &Answer, about: &str) {
    let response = response.unwrap_or_else(|| panic!("not described: {about}"));
    let content = &response["content"];
    let media_type = answer.header("content-type");
    match content.get("application/json") {
        _ if is_file(content, media_type) => {
            let disposition = answer.header("content-disposition");
            assert!(disposition.starts_with("attachment; "), "{about}");
            assert!(!answer.bytes.is_empty(), "{about}");
        }
        None => assert!(answer.bytes.is_empty(), "a body: {about}"),
        Some(content) => {
            assert_eq!(media_type, "application/json", "{about}");
            check_schema(&content["schema"], answer, about);
        }
    }
    if response["headers"].get("RateLimit").is_some() {
        for name in ["ratelimit", "ratelimit-policy"] {
            assert!(!answer.header(name).is_empty(), "no {name}: {about}");
        }
    }
}

/// Whether a body of this type is a file rather than JSON that is described.
fn is_file(content: &Value, media_type: &str) -> bool {
    media_type != "application/json" && content.get(media_type).is_some()
}

fn check_problem(path: &str, response: Option<&Value>, answer: &Answer, about: &str) {
    check_schema(
        &json!({"$ref": "#/components/schemas/Problem"}),
        answer,
        about,
    );
    let problem = answer.json();
    let code = problem["code"].as_str().unwrap();
    if !OF_NO_OPERATION.contains(&code) {
        let response = response.unwrap_or_else(|| panic!("not described: {about}"));
        let described = response["content"]["application/problem+json"]["examples"].get(code);
        assert!(described.is_some(), "a code that is not described: {about}");
    }
    assert_eq!(
        problem["type"],
        format!("urn:octavo:problem:{code}"),
        "{about}"
    );
    assert_eq!(problem["status"], answer.status, "{about}");
    assert_eq!(
        problem["requestId"],
        answer.header("x-request-id"),
        "{about}"
    );
    let error = json!({"code": code, "message": problem["detail"]});
    assert_eq!(problem["error"], error, "{about}");
    assert!(
        path.contains('%') || problem["instance"] == format!("/api/v1{path}"),
        "{about}"
    );
}

fn check_schema(schema: &Value, answer: &Answer, about: &str) {
    let validator = validator(schema);
    let faults: Vec<String> = validator
        .iter_errors(&answer.json())
        .map(|fault| format!("{} at {}", fault, fault.instance_path()))
        .collect();
    assert!(faults.is_empty(), "against the schema: {faults:?}\n{about}");
}

/// What the description says of an operation's answer with this status.
fn response(method: &str, path: &str, status: u16) -> Option<&'static Value> {
    let paths = description()["paths"].as_object().unwrap();
    let (_, operations) = paths.iter().find(|(template, _)| fits(template, path))?;
    operations
        .get(method.to_lowercase())?
        .get("responses")?
        .get(status.to_string())
}

fn fits(template: &str, path: &str) -> bool {
    let (template, path) = (template.split('/'), path.split('/'));
    template.clone().count() == path.clone().count()
        && template
            .zip(path)
            .all(|(wanted, given)| wanted.starts_with('{') || wanted == given)
}

fn validator(schema: &Value) -> Arc<Validator> {
    static KNOWN: OnceLock<Mutex<HashMap<String, Arc<Validator>>>> = OnceLock::new();
    let mut known = KNOWN.get_or_init(Mutex::default).lock().unwrap();
    let make = || {
        let root = json!({"allOf": [schema], "components": {"schemas": closed_schemas()}});
        Arc::new(jsonschema::draft202012::new(&root).unwrap())
    };
    Arc::clone(known.entry(schema.to_string()).or_insert_with(make))
}

/// The schemas of the description, which leave answers open to new members; what is not described there yet is a fault.
fn closed_schemas() -> Value {
    let mut schemas = description()["components"]["schemas"].clone();
    for schema in schemas.as_object_mut().unwrap().values_mut() {
        if schema.get("properties").is_some() {
            schema["additionalProperties"] = json!(false);
        }
    }
    schemas
}
