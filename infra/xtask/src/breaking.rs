//! Finds breaking changes between two OpenAPI documents: routes, parameters, request bodies and responses.
//!
//! A new version may accept more requests and return more members, never fewer.

mod schema;
#[cfg(test)]
mod tests;

use serde_json::{Map, Value};

use self::schema::{Direction, Schemas};

/// Every breaking change with its place; empty if a client of `released` works with `current`.
pub(crate) fn differences(released: &Value, current: &Value) -> Vec<String> {
    let mut comparison = Comparison {
        released,
        current,
        faults: Vec::new(),
    };
    for (path, item) in members(&released["paths"]) {
        for (method, before) in members(item) {
            let route = format!("{} {path}", method.to_uppercase());
            match &current["paths"][path][method] {
                Value::Null => comparison.fault(&route, "is gone"),
                now => comparison.route(&route, before, now),
            }
        }
    }
    comparison.faults
}

struct Comparison<'a> {
    released: &'a Value,
    current: &'a Value,
    faults: Vec<String>,
}

impl Comparison<'_> {
    fn fault(&mut self, place: &str, what: &str) {
        self.faults.push(format!("{place}: {what}"));
    }

    fn route(&mut self, route: &str, before: &Value, now: &Value) {
        self.security(route, &before["security"], &now["security"]);
        self.parameters(route, before, now);
        self.request(route, &before["requestBody"], &now["requestBody"]);
        for (status, response) in members(&before["responses"]) {
            let place = format!("{route} {status}");
            match &now["responses"][status] {
                Value::Null => self.fault(&place, "is gone"),
                now => self.response(&place, response, now),
            }
        }
    }

    /// Each accepted security scheme must still be accepted, with no additional scopes.
    fn security(&mut self, route: &str, before: &Value, now: &Value) {
        let now = list(now);
        if now.is_empty() {
            return;
        }
        if list(before).is_empty() {
            self.fault(route, "requires a credential now");
        }
        for credential in list(before) {
            for (scheme, scopes) in members(credential) {
                let opens = |now: &Value| {
                    let known = |scope: &Value| list(scopes).contains(scope);
                    !now[scheme].is_null() && list(&now[scheme]).iter().all(known)
                };
                if !now.iter().any(opens) {
                    self.fault(route, &format!("{scheme} alone is not accepted any more"));
                }
            }
        }
    }

    fn parameters(&mut self, route: &str, before: &Value, now: &Value) {
        let (before, now) = (list(&before["parameters"]), list(&now["parameters"]));
        let same =
            |one: &Value, other: &Value| one["name"] == other["name"] && one["in"] == other["in"];
        for parameter in before {
            let place = format!("{route} parameter {}", text(&parameter["name"]));
            match now.iter().find(|now| same(parameter, now)) {
                None => self.fault(&place, "is gone"),
                Some(now) => {
                    if is_true(&now["required"]) && !is_true(&parameter["required"]) {
                        self.fault(&place, "is required now");
                    }
                    self.schema(Direction::Request, &place, parameter, now);
                }
            }
        }
        for parameter in now {
            let new = !before.iter().any(|before| same(before, parameter));
            if new && is_true(&parameter["required"]) {
                let place = format!("{route} parameter {}", text(&parameter["name"]));
                self.fault(&place, "is new and required");
            }
        }
    }

    fn request(&mut self, route: &str, before: &Value, now: &Value) {
        let place = format!("{route} body");
        if is_true(&now["required"]) && !is_true(&before["required"]) {
            self.fault(&place, "is required now");
        }
        self.content(Direction::Request, &place, before, now);
    }

    fn response(&mut self, place: &str, before: &Value, now: &Value) {
        for (header, _) in members(&before["headers"]) {
            if now["headers"][header].is_null() {
                self.fault(place, &format!("has no header {header} any more"));
            }
        }
        self.content(Direction::Response, place, before, now);
    }

    fn content(&mut self, direction: Direction, place: &str, before: &Value, now: &Value) {
        for (media_type, content) in members(&before["content"]) {
            match &now["content"][media_type] {
                Value::Null => {
                    self.fault(place, &format!("is not available as {media_type} any more"))
                }
                now => self.schema(direction, &format!("{place} $"), content, now),
            }
        }
    }

    /// Compares the `schema` members of both.
    fn schema(&mut self, direction: Direction, place: &str, before: &Value, now: &Value) {
        let mut schemas = Schemas::new(direction, self.released, self.current);
        schemas.compare(place, &before["schema"], &now["schema"]);
        self.faults.extend(schemas.faults);
    }
}

fn members(object: &Value) -> impl Iterator<Item = (&String, &Value)> {
    object.as_object().into_iter().flat_map(Map::iter)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn is_true(value: &Value) -> bool {
    value.as_bool() == Some(true)
}
