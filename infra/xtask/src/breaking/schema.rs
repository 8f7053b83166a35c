//! Two JSON Schemas [2020-12]: does whoever wrote, or read, by the older one get along with the newer?

use serde_json::Value;

use super::{is_true, list, members, text};

/// Who writes what a schema describes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// The client: everything that was allowed must stay so.
    Request,
    /// The service: nothing may come that could not come before, except further members and values.
    Answer,
}

/// Keywords that bound from above and from below.
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
/// Keywords of which one or several alternatives hold.
const ALTERNATIVES: [&str; 2] = ["oneOf", "anyOf"];
/// Every JSON type.
const TYPES: [&str; 6] = ["null", "boolean", "number", "string", "array", "object"];

/// A comparison of schemas, each in its own document.
pub(super) struct Schemas<'a> {
    direction: Direction,
    released: &'a Value,
    current: &'a Value,
    /// References that are being compared, against endless recursion.
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

    /// Compares two schemas of what lies at `place`.
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
            Direction::Answer => (now, before),
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
            (other, Direction::Answer) => {
                self.fault(place, &format!("may be {} now", other.join(", ")));
            }
        }
    }

    fn values(&mut self, place: &str, before: &Value, now: &Value) {
        let Some(now) = values(now) else {
            return;
        };
        match values(before) {
            None => self.fault(place, "takes only certain values now"),
            Some(before) => {
                for gone in before.iter().filter(|value| !now.contains(value)) {
                    self.fault(place, &format!("does not take {gone} any more"));
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
            self.fault(place, "takes nothing twice now");
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
            Direction::Answer => (&before["required"], &now["required"], "may be missing now"),
        };
        for name in list(required)
            .iter()
            .filter(|name| !list(allowed).contains(name))
        {
            // What is gone altogether was told above.
            if self.direction == Direction::Request || !now["properties"][text(name)].is_null() {
                self.fault(&format!("{place}.{}", text(name)), what);
            }
        }
        let closed = |schema: &Value| schema["additionalProperties"] == Value::Bool(false);
        if self.direction == Direction::Request && closed(now) && !closed(before) {
            self.fault(place, "refuses unknown members now");
        }
    }

    /// All of which hold: a request gets no further ones, an answer loses none.
    fn parts(&mut self, place: &str, before: &'a [Value], now: &'a [Value]) {
        match self.direction {
            Direction::Request if now.len() > before.len() => {
                self.fault(place, "asks for more now")
            }
            Direction::Answer if now.len() < before.len() => self.fault(place, "promises less now"),
            _ => {}
        }
        for (before, now) in before.iter().zip(now) {
            self.compare(place, before, now);
        }
    }

    /// Each form that a client may send must fit one that is taken; each that may come, one that was promised.
    fn alternatives(&mut self, place: &str, keyword: &str, before: &'a Value, now: &'a Value) {
        let (all, allowed) = match self.direction {
            Direction::Request => (&before[keyword], &now[keyword]),
            Direction::Answer => (&now[keyword], &before[keyword]),
        };
        let allowed = list(allowed);
        if allowed.is_empty() {
            // Nothing is narrowed by alternatives; the rest was compared above.
            return;
        }
        let whole = match self.direction {
            Direction::Request => before,
            Direction::Answer => now,
        };
        let all = match list(all) {
            [] => std::slice::from_ref(whole),
            all => all,
        };
        for one in all {
            let closest = allowed
                .iter()
                .map(|other| self.between(place, one, other))
                .min_by_key(Vec::len);
            self.faults.extend(closest.unwrap_or_default());
        }
    }

    /// What is wrong between a form and one that is allowed.
    fn between(&self, place: &str, one: &'a Value, allowed: &'a Value) -> Vec<String> {
        let mut apart = Self {
            faults: Vec::new(),
            open: self.open.clone(),
            ..*self
        };
        match self.direction {
            Direction::Request => apart.compare(place, one, allowed),
            Direction::Answer => apart.compare(place, allowed, one),
        }
        apart.faults
    }
}

/// The schema that a reference leads to.
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

/// The types that a schema allows, as far as it says so itself.
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

/// The values that a schema lists.
fn values(schema: &Value) -> Option<Vec<&Value>> {
    match (&schema["const"], &schema["enum"]) {
        (Value::Null, Value::Array(values)) => Some(values.iter().collect()),
        (Value::Null, _) => None,
        (value, _) => Some(vec![value]),
    }
}
