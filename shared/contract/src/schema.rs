//! Post-processing of JSON Schemas.

use serde_json::Value;

/// Removes every `"default": null`, which schemars adds to optional members even if they do not accept `null`.
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
    fn only_null_defaults_are_removed() {
        let schema = json!({"anyOf": [{"default": null, "type": "string"}], "default": 50});
        assert_eq!(
            without_null_defaults(schema),
            json!({"anyOf": [{"type": "string"}], "default": 50})
        );
    }
}
