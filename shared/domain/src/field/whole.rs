//! Whole numbers as JSON Schema has them: `866.0` is one.

use serde_json::{Map, Value};

/// The largest whole number up to which a float tells all of them apart.
const MOST_EXACT: f64 = 9_007_199_254_740_992.0;

/// `value` with its numbers written as whole ones where `schema` asks for whole numbers and they have no fraction. What
/// the schema leaves open stays as it is.
pub(super) fn numbers(value: &Value, schema: &Value) -> Value {
    convert(value, schema, schema)
}

fn convert(value: &Value, schema: &Value, root: &Value) -> Value {
    let schema = followed(schema, root);
    let part = |value, schema: Option<&Value>| match schema {
        Some(schema) => convert(value, schema, root),
        None => value.clone(),
    };
    match value {
        Value::Number(number) if is_whole(schema) => {
            whole(number).map_or_else(|| value.clone(), Value::from)
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

fn followed<'a>(schema: &'a Value, root: &'a Value) -> &'a Value {
    let reference = schema.get("$ref").and_then(Value::as_str);
    let target = reference.and_then(|reference| root.pointer(reference.strip_prefix('#')?));
    target.unwrap_or(schema)
}

/// Whether a schema takes whole numbers and no others.
fn is_whole(schema: &Value) -> bool {
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
    reason = "a whole number up to 2^53 loses nothing"
)]
fn whole(number: &serde_json::Number) -> Option<i64> {
    let number = number.as_f64().filter(|_| number.is_f64())?;
    (number.fract() == 0.0 && number.abs() <= MOST_EXACT).then_some(number as i64)
}
