//! Generates request bodies with one invalid, missing, or unknown field.

use serde_json::{Map, Value, json};
use tests::client::Response;

use crate::problem::assert_error;

/// JSON types of fields.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum JsonType {
    Text,
    Number,
    List,
    Object,
}

/// A field of a request body.
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) json_type: JsonType,
    pub(crate) required: bool,
}

/// An invalid request body.
pub(crate) struct InvalidBody {
    pub(crate) name: String,
    pub(crate) body: Value,
    /// `(path, code)` of each expected entry of `errors`.
    pub(crate) expected_errors: Vec<(String, &'static str)>,
}

impl InvalidBody {
    /// `base` with the field `name` set to `value`, which is rejected with `code`.
    pub(crate) fn with_field(base: &Value, name: &str, value: Value, code: &'static str) -> Self {
        let mut body = base.clone();
        body[name] = value;
        Self {
            name: format!("{name}: {}", brief(&body[name])),
            body,
            expected_errors: vec![(format!("$.{name}"), code)],
        }
    }

    /// Asserts that the response is `status` and `code` with exactly the expected `errors`.
    pub(crate) fn assert_rejected(&self, response: &Response, status: u16, code: &str) {
        let (name, text) = (&self.name, response.text());
        assert_eq!(response.status, status, "{name}: {text}");
        let errors = self.expected_errors.iter();
        let errors: Vec<_> = errors.map(|(path, code)| (path.as_str(), *code)).collect();
        assert_error(response, status, code, &errors);
    }
}

fn brief(value: &Value) -> String {
    value.to_string().chars().take(60).collect()
}

/// Returns invalid variants of `base` for each of `fields`, and bodies with unknown fields.
pub(crate) fn invalid_bodies(base: &Value, fields: &[Field]) -> Vec<InvalidBody> {
    let each = fields.iter().flat_map(|field| invalid_values(base, field));
    let unknown = ["unknown", "", "$", "__proto__", "uri"]
        .map(|name| InvalidBody::with_field(base, name, json!("red"), "unknown_field"));
    each.chain(unknown)
        .chain([several_errors(fields)])
        .collect()
}

fn invalid_values(base: &Value, field: &Field) -> Vec<InvalidBody> {
    let mut all = wrong_types(base, field);
    if field.required {
        all.push(InvalidBody {
            name: format!("{} missing", field.name),
            body: without_field(base, field.name),
            expected_errors: vec![(format!("$.{}", field.name), "missing_field")],
        });
    }
    all.push(wrong_case(base, field));
    all
}

fn wrong_types(base: &Value, field: &Field) -> Vec<InvalidBody> {
    let values = [
        (None, json!(null)),
        (None, json!(true)),
        (Some(JsonType::Number), json!(7)),
        (Some(JsonType::Text), json!("7")),
        (Some(JsonType::List), json!([])),
        (Some(JsonType::Object), json!({})),
    ];
    values
        .into_iter()
        .filter(|(json_type, _)| *json_type != Some(field.json_type))
        .map(|(_, value)| InvalidBody::with_field(base, field.name, value, "invalid_value"))
        .collect()
}

/// Field names are case-sensitive.
fn wrong_case(base: &Value, field: &Field) -> InvalidBody {
    let name = field.name.to_uppercase();
    let mut body = without_field(base, field.name);
    body[&name] = base.get(field.name).cloned().unwrap_or(json!("x"));
    let mut expected_errors = vec![(format!("$.{name}"), "unknown_field")];
    if field.required {
        expected_errors.push((format!("$.{}", field.name), "missing_field"));
    }
    InvalidBody {
        name,
        body,
        expected_errors,
    }
}

/// All missing and unknown fields are reported in one response.
fn several_errors(fields: &[Field]) -> InvalidBody {
    let required = fields.iter().filter(|field| field.required);
    let missing = required.map(|field| (format!("$.{}", field.name), "missing_field"));
    let unknown = ["one", "two"].map(|name| (format!("$.{name}"), "unknown_field"));
    InvalidBody {
        name: "all at once".to_owned(),
        body: json!({"one": 1, "two": 2}),
        expected_errors: unknown.into_iter().chain(missing).collect(),
    }
}

pub(crate) fn without_field(base: &Value, name: &str) -> Value {
    let remaining: Map<String, Value> = base
        .as_object()
        .unwrap()
        .iter()
        .filter(|(key, _)| *key != name)
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    Value::Object(remaining)
}
