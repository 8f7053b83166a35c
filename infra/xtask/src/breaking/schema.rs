//! Compatibility of two JSON Schemas (2020-12): whether a client written for the older one works with the newer one.

use serde_json::Value;

use super::{is_true, list, members, text};

/// Who sends the described value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// The client: every value that was valid must stay valid.
    Request,
    /// The service: no value may be sent that was invalid before, except further members and enum values.
    Response,
}

/// Keywords for upper and lower bounds.
const AT_MOST: [&str; 5] = [
    "maximum",
    "exclusiveMaximum",
    "maxLength",
    "maxItems",
    "maxProperties",
];
const AT_LEAST: [&str; 5] = [
    "minimum",
    "exclusiveMinimum",
    "minLength",
    "minItems",
    "minProperties",
];
/// Keywords with alternative subschemas.
const ALTERNATIVES: [&str; 2] = ["oneOf", "anyOf"];
/// Every JSON type.
const TYPES: [&str; 6] = ["null", "boolean", "number", "string", "array", "object"];

/// A comparison of two schemas, each with its document for `$ref`.
pub(super) struct Schemas<'a> {
    direction: Direction,
    released: &'a Value,
    current: &'a Value,
    /// Pairs of references under comparison, to end recursion.
    open: Vec<(&'a Value, &'a Value)>,
    pub(super) faults: Vec<String>,
}

impl<'a> Schemas<'a> {
    pub(super) fn new(direction: Direction, released: &'a Value, current: &'a Value) -> Self {
        Self {
            direction,
            released,
            current,
            open: Vec::new(),
            faults: Vec::new(),
        }
    }

    /// Compares two schemas of the value at `place`.
    pub(super) fn compare(&mut self, place: &str, before: &'a Value, now: &'a Value) {
        let before = resolved(self.released, before);
        let now = resolved(self.current, now);
        let is_open = |(one, other): &(&Value, &Value)| {
            std::ptr::eq(*one, before) && std::ptr::eq(*other, now)
        };
        if self.open.iter().any(is_open) {
            return;
        }
        self.open.push((before, now));
        self.types(place, before, now);
        if self.direction == Direction::Request {
            self.values(place, before, now);
            self.bounds(place, before, now);
        }
        self.members(place, before, now);
        self.compare_if_both(&format!("{place}[]"), &before["items"], &now["items"]);
        let others = (
            &before["additionalProperties"],
            &now["additionalProperties"],
        );
        self.compare_if_both(&format!("{place}.*"), others.0, others.1);
        self.parts(place, list(&before["allOf"]), list(&now["allOf"]));
        for keyword in ALTERNATIVES {
            self.alternatives(place, keyword, before, now);
        }
        self.open.pop();
    }

    fn fault(&mut self, place: &str, what: &str) {
        self.faults.push(format!("{place}: {what}"));
    }

    fn compare_if_both(&mut self, place: &str, before: &'a Value, now: &'a Value) {
        if before.is_object() && now.is_object() {
            self.compare(place, before, now);
        }
    }

    fn types(&mut self, place: &str, before: &Value, now: &Value) {
        let (before, now) = (types(before), types(now));
        let (all, allowed) = match self.direction {
            Direction::Request => (before, now),
            Direction::Response => (now, before),
        };
        let other: Vec<_> = all
            .iter()
            .filter(|one| !allows(&allowed, one))
            .copied()
            .collect();
        match (other.as_slice(), self.direction) {
            ([], _) => {}
            (other, Direction::Request) => {
                self.fault(place, &format!("may not be {} any more", other.join(", ")));
            }
            (other, Direction::Response) => {
                self.fault(place, &format!("may be {} now", other.join(", ")));
            }
        }
    }

    fn values(&mut self, place: &str, before: &Value, now: &Value) {
        let Some(now) = values(now) else {
            return;
        };
        match values(before) {
            None => self.fault(place, "accepts only listed values now"),
            Some(before) => {
                for gone in before.iter().filter(|value| !now.contains(value)) {
                    self.fault(place, &format!("does not accept {gone} any more"));
                }
            }
        }
    }

    fn bounds(&mut self, place: &str, before: &Value, now: &Value) {
        let number = |schema: &Value, keyword: &str| schema[keyword].as_f64();
        for keyword in AT_MOST {
            let narrower = number(now, keyword)
                .is_some_and(|now| number(before, keyword).is_none_or(|before| now < before));
            if narrower {
                self.fault(place, &format!("{keyword} is {} now", now[keyword]));
            }
        }
        for keyword in AT_LEAST {
            let narrower = number(now, keyword)
                .is_some_and(|now| number(before, keyword).is_none_or(|before| now > before));
            if narrower {
                self.fault(place, &format!("{keyword} is {} now", now[keyword]));
            }
        }
        if !now["pattern"].is_null() && now["pattern"] != before["pattern"] {
            self.fault(place, &format!("must match {} now", now["pattern"]));
        }
        if is_true(&now["uniqueItems"]) && !is_true(&before["uniqueItems"]) {
            self.fault(place, "requires unique items now");
        }
    }

    fn members(&mut self, place: &str, before: &'a Value, now: &'a Value) {
        for (name, member) in members(&before["properties"]) {
            let place = format!("{place}.{name}");
            match &now["properties"][name] {
                Value::Null => self.fault(&place, "is gone"),
                now => self.compare(&place, member, now),
            }
        }
        let (required, allowed, what) = match self.direction {
            Direction::Request => (&now["required"], &before["required"], "is required now"),
            Direction::Response => (&before["required"], &now["required"], "may be missing now"),
        };
        for name in list(required)
            .iter()
            .filter(|name| !list(allowed).contains(name))
        {
            // Removed members are reported above.
            if self.direction == Direction::Request || !now["properties"][text(name)].is_null() {
                self.fault(&format!("{place}.{}", text(name)), what);
            }
        }
        let closed = |schema: &Value| schema["additionalProperties"] == Value::Bool(false);
        if self.direction == Direction::Request && closed(now) && !closed(before) {
            self.fault(place, "rejects unknown members now");
        }
    }

    /// `allOf`: a request must not get more subschemas, a response must not lose one.
    fn parts(&mut self, place: &str, before: &'a [Value], now: &'a [Value]) {
        match self.direction {
            Direction::Request if now.len() > before.len() => {
                self.fault(place, "has more constraints now")
            }
            Direction::Response if now.len() < before.len() => {
                self.fault(place, "guarantees less now")
            }
            _ => {}
        }
        for (before, now) in before.iter().zip(now) {
            self.compare(place, before, now);
        }
    }

    /// Each alternative that a client may send must match one that is accepted; each that the service may send, one that was
    /// described before.
    fn alternatives(&mut self, place: &str, keyword: &str, before: &'a Value, now: &'a Value) {
        let (all, allowed) = match self.direction {
            Direction::Request => (&before[keyword], &now[keyword]),
            Direction::Response => (&now[keyword], &before[keyword]),
        };
        let allowed = list(allowed);
        if allowed.is_empty() {
            // The alternatives add no constraint; everything else is compared above.
            return;
        }
        let whole = match self.direction {
            Direction::Request => before,
            Direction::Response => now,
        };
        let all = match list(all) {
            [] => std::slice::from_ref(whole),
            all => all,
        };
        for one in all {
            let closest = allowed
                .iter()
                .map(|other| self.differences(place, one, other))
                .min_by_key(Vec::len);
            self.faults.extend(closest.unwrap_or_default());
        }
    }

    /// Compares an alternative with an allowed one and returns the faults.
    fn differences(&self, place: &str, one: &'a Value, allowed: &'a Value) -> Vec<String> {
        let mut comparison = Self {
            faults: Vec::new(),
            open: self.open.clone(),
            ..*self
        };
        match self.direction {
            Direction::Request => comparison.compare(place, one, allowed),
            Direction::Response => comparison.compare(place, allowed, one),
        }
        comparison.faults
    }
}

/// Resolves a `$ref`.
fn resolved<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    let mut schema = schema;
    while let Some(reference) = schema["$ref"].as_str() {
        let pointer = reference.trim_start_matches('#');
        match document.pointer(pointer) {
            Some(target) => schema = target,
            None => break,
        }
    }
    schema
}

/// The types in a schema's own `type` keyword.
fn types(schema: &Value) -> Vec<&str> {
    match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(several) => several.iter().map(text).collect(),
        _ => match values(schema) {
            Some(values) => values.iter().map(|value| type_of(value)).collect(),
            None => TYPES.to_vec(),
        },
    }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn allows(types: &[&str], wanted: &str) -> bool {
    types.contains(&wanted) || (wanted == "integer" && types.contains(&"number"))
}

/// The values of `enum` or `const`.
fn values(schema: &Value) -> Option<Vec<&Value>> {
    match (&schema["const"], &schema["enum"]) {
        (Value::Null, Value::Array(values)) => Some(values.iter().collect()),
        (Value::Null, _) => None,
        (value, _) => Some(vec![value]),
    }
}
