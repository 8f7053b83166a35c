//! Integers as JSON Schema defines them: `866.0` is an integer.

use serde_json::{Map, Value};

/// Largest integer up to which `f64` represents every integer exactly.
const MAX_EXACT: f64 = 9_007_199_254_740_992.0;

/// Returns `value` with its numbers rewritten as integers where `schema` requires integers and they have no fraction. Other
/// values are unchanged.
pub(super) fn normalize(value: &Value, schema: &Value) -> Value {
    convert(value, schema, schema)
}

fn convert(value: &Value, schema: &Value, root: &Value) -> Value {
    let schema = resolved(schema, root);
    let part = |value, schema: Option<&Value>| match schema {
        Some(schema) => convert(value, schema, root),
        None => value.clone(),
    };
    match value {
        Value::Number(number) if is_integer(schema) => {
            exact_integer(number).map_or_else(|| value.clone(), Value::from)
        }
        Value::Array(items) => {
            let schema = schema.get("items");
            Value::Array(items.iter().map(|item| part(item, schema)).collect())
        }
        Value::Object(members) => {
            let schema = schema.get("properties");
            let of = |name: &str| schema.and_then(|schema| schema.get(name));
            let members = members.iter();
            let members = members.map(|(name, member)| (name.clone(), part(member, of(name))));
            Value::Object(members.collect::<Map<_, _>>())
        }
        _ => value.clone(),
    }
}

fn resolved<'a>(schema: &'a Value, root: &'a Value) -> &'a Value {
    let reference = schema.get("$ref").and_then(Value::as_str);
    let target = reference.and_then(|reference| root.pointer(reference.strip_prefix('#')?));
    target.unwrap_or(schema)
}

/// Whether the schema accepts integers only.
fn is_integer(schema: &Value) -> bool {
    match schema.get("type") {
        Some(Value::String(name)) => name == "integer",
        Some(Value::Array(names)) => {
            let has = |name: &str| names.iter().any(|listed| listed == name);
            has("integer") && !has("number")
        }
        _ => false,
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "integers up to 2^53 are exact"
)]
fn exact_integer(number: &serde_json::Number) -> Option<i64> {
    let number = number.as_f64().filter(|_| number.is_f64())?;
    (number.fract() == 0.0 && number.abs() <= MAX_EXACT).then_some(number as i64)
}
