//! Every way in which one member of a body can be wrong, whatever the route.

use serde_json::{Map, Value, json};

/// JSON types.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    Text,
    Number,
    List,
    Object,
}

/// A member of a body.
pub(crate) struct Member {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) required: bool,
}

/// A body with something wrong in it.
pub(crate) struct Wrong {
    pub(crate) what: String,
    pub(crate) body: Value,
    /// `(path, code)` of each member at fault.
    pub(crate) faults: Vec<(String, &'static str)>,
}

impl Wrong {
    /// `base` with the member `name` set to `value`, which is at fault with `code`.
    pub(crate) fn set(base: &Value, name: &str, value: Value, code: &'static str) -> Self {
        let mut body = base.clone();
        body[name] = value;
        Self {
            what: format!("{name}: {}", brief(&body[name])),
            body,
            faults: vec![(format!("$.{name}"), code)],
        }
    }

    /// The faults as [`crate::refusal::assert_refused`] wants them.
    pub(crate) fn faults(&self) -> Vec<(&str, &str)> {
        self.faults
            .iter()
            .map(|(path, code)| (path.as_str(), *code))
            .collect()
    }
}

fn brief(value: &Value) -> String {
    value.to_string().chars().take(60).collect()
}

/// What can be wrong with each member of `base`, and members that no request has.
pub(crate) fn wrong(base: &Value, members: &[Member]) -> Vec<Wrong> {
    let each = members.iter().flat_map(|member| wrong_member(base, member));
    let unknown = ["colour", "", "$", "__proto__", "uri"]
        .map(|name| Wrong::set(base, name, json!("red"), "unknown_field"));
    each.chain(unknown).chain([several(members)]).collect()
}

fn wrong_member(base: &Value, member: &Member) -> Vec<Wrong> {
    let mut all = wrong_types(base, member);
    if member.required {
        all.push(Wrong {
            what: format!("{} missing", member.name),
            body: without(base, member.name),
            faults: vec![(format!("$.{}", member.name), "missing_field")],
        });
    }
    all.push(wrong_case(base, member));
    all
}

fn wrong_types(base: &Value, member: &Member) -> Vec<Wrong> {
    let values = [
        (None, json!(null)),
        (None, json!(true)),
        (Some(Kind::Number), json!(7)),
        (Some(Kind::Text), json!("7")),
        (Some(Kind::List), json!([])),
        (Some(Kind::Object), json!({})),
    ];
    values
        .into_iter()
        .filter(|(kind, _)| *kind != Some(member.kind))
        .map(|(_, value)| Wrong::set(base, member.name, value, "invalid_value"))
        .collect()
}

/// Names count as they are written.
fn wrong_case(base: &Value, member: &Member) -> Wrong {
    let name = member.name.to_uppercase();
    let mut body = without(base, member.name);
    body[&name] = base.get(member.name).cloned().unwrap_or(json!("x"));
    let mut faults = vec![(format!("$.{name}"), "unknown_field")];
    if member.required {
        faults.push((format!("$.{}", member.name), "missing_field"));
    }
    Wrong {
        what: name,
        body,
        faults,
    }
}

/// All missing and unknown members are told together.
fn several(members: &[Member]) -> Wrong {
    let required = members.iter().filter(|member| member.required);
    let missing = required.map(|member| (format!("$.{}", member.name), "missing_field"));
    let unknown = ["one", "two"].map(|name| (format!("$.{name}"), "unknown_field"));
    Wrong {
        what: "all at once".to_owned(),
        body: json!({"one": 1, "two": 2}),
        faults: unknown.into_iter().chain(missing).collect(),
    }
}

pub(crate) fn without(base: &Value, name: &str) -> Value {
    let members: Map<String, Value> = base
        .as_object()
        .unwrap()
        .iter()
        .filter(|(member, _)| *member != name)
        .map(|(member, value)| (member.clone(), value.clone()))
        .collect();
    Value::Object(members)
}
