//! Merging of two responses with the same status.

use serde_json::{Map, Value, json};

/// Merges `other` into `response`: joins descriptions and headers, and describes a media type of both by `anyOf`.
pub(super) fn join(response: &mut Value, other: Value) {
    let Value::Object(mut other) = other else {
        return;
    };
    join_descriptions(response, other.get("description"));
    if let Some(known) = section(response, "headers") {
        known.extend(members(&mut other, "headers"));
    }
    let Some(known) = section(response, "content") else {
        return;
    };
    for (media_type, content) in members(&mut other, "content") {
        match known.get_mut(&media_type) {
            Some(known) => either(known, &content),
            None => drop(known.insert(media_type, content)),
        }
    }
}

fn join_descriptions(response: &mut Value, other: Option<&Value>) {
    let text = |value: Option<&Value>| {
        let text = value.and_then(Value::as_str);
        text.unwrap_or_default().to_owned()
    };
    let joined = format!("{} {}", text(response.get("description")), text(other));
    if let Some(members) = response.as_object_mut() {
        members.insert("description".to_owned(), joined.into());
    }
}

fn either(known: &mut Value, other: &Value) {
    let schema = |content: &Value| content.get("schema").cloned().unwrap_or_default();
    *known = json!({"schema": {"anyOf": [schema(known), schema(other)]}});
}

fn members(response: &mut Map<String, Value>, name: &str) -> Map<String, Value> {
    match response.shift_remove(name) {
        Some(Value::Object(members)) => members,
        _ => Map::new(),
    }
}

/// Returns the object member `name` of a response, inserting it if it is missing.
fn section<'a>(response: &'a mut Value, name: &str) -> Option<&'a mut Map<String, Value>> {
    let section = response.as_object_mut()?.entry(name.to_owned());
    section.or_insert_with(|| json!({})).as_object_mut()
}
