//! JSON Schemas as the API shows them.

use serde_json::Value;

/// Removes every `"default": null`, which stands at optional members that do not take `null`.
pub(crate) fn without_null_defaults(mut schema: Value) -> Value {
    remove_null_defaults(&mut schema);
    schema
}

fn remove_null_defaults(value: &mut Value) {
    match value {
        Value::Object(members) => {
            if members.get("default") == Some(&Value::Null) {
                members.shift_remove("default");
            }
            members.values_mut().for_each(remove_null_defaults);
        }
        Value::Array(items) => items.iter_mut().for_each(remove_null_defaults),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_null_defaults_go() {
        let schema = json!({"anyOf": [{"default": null, "type": "string"}], "default": 50});
        assert_eq!(
            without_null_defaults(schema),
            json!({"anyOf": [{"type": "string"}], "default": 50})
        );
    }
}
