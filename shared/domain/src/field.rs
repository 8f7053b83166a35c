//! Deserialization of JSON into typed requests, with a JSONPath for every error.

mod integer;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Maximum number of unknown members that one response reports.
const MAX_UNKNOWN_REPORTED: usize = 20;

/// Maximum length in characters of an unknown member's name in an error.
const MAX_NAME_LENGTH: usize = 100;

/// An error in one member of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FieldError {
    /// JSONPath of the member, such as `$.steps[2].quality`.
    pub path: String,
    /// `missing_field`, `unknown_field`, `invalid_value`, or the code of the whole response.
    pub code: String,
    /// Human-readable: what the member must be.
    pub message: String,
}

impl FieldError {
    /// Creates an error at `path`.
    #[must_use]
    pub fn new(path: impl Into<String>, code: &str, message: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            code: code.to_owned(),
            message: message.into(),
        }
    }

    /// Creates an error for a value of the wrong type or outside its bounds.
    #[must_use]
    pub fn invalid(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(path, "invalid_value", message)
    }
}

/// Deserializes the object at `path` into `T`. The JSON Schema of `T` decides which members are unknown or missing; serde
/// checks types and bounds.
///
/// # Errors
/// All unknown and missing members together, else the first member with a wrong type or value.
pub fn read<T: DeserializeOwned + JsonSchema>(
    value: &Value,
    path: &str,
) -> Result<T, Vec<FieldError>> {
    let Value::Object(members) = value else {
        return Err(vec![FieldError::invalid(path, "must be an object")]);
    };
    let schema = SchemaGenerator::default().into_root_schema_for::<T>();
    let errors = check_names(members, schema.as_value(), path);
    if !errors.is_empty() {
        return Err(errors);
    }
    let value = integer::normalize(value, schema.as_value());
    serde_path_to_error::deserialize(&value).map_err(|error| {
        let inner = error.path().to_string();
        let message = error.into_inner().to_string();
        let names = names(schema.as_value(), &inner).filter(|_| message.contains("invalid type"));
        let message = names.map_or_else(|| plain(&message), |names| one_of(&names));
        vec![FieldError::invalid(join(path, &inner), message)]
    })
}

/// Returns the values of a member that is an enumeration.
fn names<'a>(schema: &'a Value, member: &str) -> Option<Vec<&'a str>> {
    let own = schema.get("properties")?.get(member)?;
    let referred = own.get("$ref").and_then(Value::as_str);
    let own = match referred.and_then(|path| path.strip_prefix('#')) {
        Some(path) => schema.pointer(path)?,
        None => own,
    };
    let listed = own.get("enum").and_then(Value::as_array);
    let alternatives = || own.get("oneOf").and_then(Value::as_array);
    let names = listed.or_else(alternatives)?.iter();
    names
        .map(|one| one.get("const").unwrap_or(one).as_str())
        .collect()
}

fn one_of(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [first, last] => format!("must be {first} or {last}"),
        names => format!("must be one of {}", names.join(", ")),
    }
}

/// Deserializes an optional member that must not be `null`. Use it with `#[serde(default)]`, and with [`without_null`] so
/// that the schema agrees.
///
/// # Errors
/// If the value is not a `T`; `null` is rejected unless `T` accepts it.
pub fn present<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}

/// Removes `null` from the types of all optional members of a schema. Use it with `#[schemars(transform = …)]`.
pub fn without_null(schema: &mut Schema) {
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    let members = properties.into_iter().flat_map(Map::values_mut);
    for member in members.filter_map(Value::as_object_mut) {
        match member.get_mut("type") {
            Some(Value::Array(types)) => {
                types.retain(|one| one != "null");
                if let [one] = types.as_mut_slice() {
                    let one = one.take();
                    member.insert("type".to_owned(), one);
                }
            }
            _ => {
                let either = member.get("anyOf").and_then(Value::as_array);
                let other = either.and_then(|either| match either.as_slice() {
                    [Value::Object(other), null] if null["type"] == "null" => Some(other.clone()),
                    _ => None,
                });
                if let Some(mut other) = other {
                    member.shift_remove("anyOf");
                    other.append(member);
                    *member = other;
                }
            }
        }
        if let Some(Value::Array(values)) = member.get_mut("enum") {
            values.retain(|value| !value.is_null());
        }
    }
}

/// Returns the path of a member of the object at `path`.
#[must_use]
pub fn member(path: &str, name: &str) -> String {
    format!("{path}.{name}")
}

fn check_names(members: &Map<String, Value>, schema: &Value, path: &str) -> Vec<FieldError> {
    let empty = Map::new();
    let properties = schema
        .get("properties")
        .and_then(Value::as_object)
        .unwrap_or(&empty);
    let closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
    let unknown = members
        .keys()
        .filter(|name| closed && !properties.contains_key(*name))
        .map(|name| {
            FieldError::new(
                member(path, &shortened(name)),
                "unknown_field",
                "is not a field of this request",
            )
        });
    let missing = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .filter(|name| !members.contains_key(*name))
        .map(|name| FieldError::new(member(path, name), "missing_field", "is required"));
    unknown.take(MAX_UNKNOWN_REPORTED).chain(missing).collect()
}

/// Returns the JSON name of a type that serde expected.
fn in_json_terms(expected: &str) -> &str {
    match expected {
        "i64" | "u64" | "u32" | "u16" | "u8" => "a non-negative integer",
        "a sequence" => "an array",
        "a map" => "an object",
        other => other,
    }
}

fn shortened(name: &str) -> String {
    name.chars().take(MAX_NAME_LENGTH).collect()
}

fn join(path: &str, inner: &str) -> String {
    match inner {
        "." | "" => path.to_owned(),
        inner if inner.starts_with('[') => format!("{path}{inner}"),
        inner => member(path, inner),
    }
}

/// Returns what was expected, without the found value, which may be long.
fn plain(message: &str) -> String {
    let message = message.split(" at line ").next().unwrap_or(message);
    match message.rsplit_once(", expected ") {
        Some((_, expected)) => format!("must be {}", in_json_terms(expected)),
        None => message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    struct Request {
        file_name: String,
        pages: Option<Vec<u8>>,
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    struct Open {
        count: u32,
        data: Value,
    }

    fn paths(value: &Value) -> Vec<(String, String)> {
        let errors = read::<Request>(value, "$").unwrap_err();
        errors
            .into_iter()
            .map(|error| (error.path, error.code))
            .collect()
    }

    #[test]
    fn all_unknown_and_missing_members_are_reported() {
        assert_eq!(
            paths(&json!({"colour": 1, "size": 2})),
            [
                ("$.colour".into(), "unknown_field".into()),
                ("$.size".into(), "unknown_field".into()),
                ("$.fileName".into(), "missing_field".into())
            ]
        );
    }

    #[test]
    fn errors_contain_no_values_and_are_bounded() {
        let long = "\u{202e}".repeat(100_000);
        let error = &read::<Request>(&json!({"fileName": "a", "pages": long}), "$").unwrap_err()[0];
        assert_eq!((&*error.path, &*error.code), ("$.pages", "invalid_value"));
        assert!(!error.message.contains('\u{202e}') && error.message.len() < 100);
        let members: Map<String, Value> = (0..1_000)
            .map(|n| (format!("{n}{long}"), json!(1)))
            .collect();
        let errors = read::<Request>(&Value::Object(members), "$").unwrap_err();
        assert_eq!(errors.len(), MAX_UNKNOWN_REPORTED + 1);
        assert_eq!(errors.last().unwrap().path, "$.fileName");
        assert!(errors.iter().all(|error| error.path.chars().count() <= 102));
    }

    #[test]
    fn a_number_without_a_fraction_is_an_integer() {
        for pages in [json!([1.0, 2e1, -0.0]), json!([1, 20, 0])] {
            let body = json!({"fileName": "a", "pages": pages});
            let read: Request = read(&body, "$").unwrap();
            assert_eq!(
                (read.file_name.as_str(), read.pages),
                ("a", Some(vec![1, 20, 0]))
            );
        }
        for (bad, path) in [
            (json!([1, 1.5]), "$.pages[1]"),
            (json!([256.0]), "$.pages[0]"),
            (json!([-1.0]), "$.pages[0]"),
            (json!([1e30]), "$.pages[0]"),
        ] {
            let body = json!({"fileName": "a", "pages": bad});
            assert_eq!(paths(&body), [(path.into(), "invalid_value".into())]);
        }
        let open = json!({"count": 2.0, "data": {"count": 2.0}});
        let read: Open = read(&open, "$").unwrap();
        assert_eq!((read.count, read.data), (2, json!({"count": 2.0})));
    }

    #[test]
    fn a_wrong_type_is_reported_with_its_path() {
        assert_eq!(
            paths(&json!({"fileName": 3})),
            [("$.fileName".into(), "invalid_value".into())]
        );
        assert_eq!(
            paths(&json!({"fileName": null})),
            [("$.fileName".into(), "invalid_value".into())]
        );
        assert_eq!(
            paths(&json!({"fileName": "a", "pages": [1, 300]})),
            [("$.pages[1]".into(), "invalid_value".into())]
        );
        assert_eq!(paths(&json!([])), [("$".into(), "invalid_value".into())]);
    }
}
