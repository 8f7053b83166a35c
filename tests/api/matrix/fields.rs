//! Invalid values of every field of every body: each is reported with its path and the status of its route, never with a 5xx.

use contract::route::{ROUTES, Route};
use serde_json::{Value, json};
use tests::client::{Response, unique};

use super::Owner;

/// The compatibility routes ignore unknown fields.
fn ignores_unknown_fields(schema: &Value) -> bool {
    schema["additionalProperties"] != json!(false)
}

/// Resolves `$ref`.
fn resolve<'a>(description: &'a Value, schema: &'a Value) -> &'a Value {
    match schema["$ref"].as_str() {
        Some(reference) => description.pointer(&reference[1..]).unwrap(),
        None => schema,
    }
}

/// Returns the JSON types that a schema allows; empty if it has no `type`.
fn types(schema: &Value) -> Vec<&str> {
    match &schema["type"] {
        Value::String(name) => vec![name],
        Value::Array(names) => names.iter().map(|name| name.as_str().unwrap()).collect(),
        _ if schema.get("enum").is_some() || schema.get("const").is_some() => vec!["string"],
        _ => Vec::new(),
    }
}

/// Returns a value of each type that a schema does not allow.
fn wrong_types(schema: &Value) -> Vec<Value> {
    let types = types(schema);
    let values = [
        ("null", json!(null)),
        ("boolean", json!(true)),
        ("integer", json!(7)),
        ("string", json!("7")),
        ("array", json!([])),
        ("object", json!({})),
    ];
    let wrong = values
        .into_iter()
        .filter(|(name, _)| !types.is_empty() && !types.contains(name));
    // A fraction is invalid for integers.
    let fraction = types.contains(&"integer").then(|| json!(1.5));
    wrong.map(|(_, value)| value).chain(fraction).collect()
}

/// Returns strings that are empty, at the limit, above it, or of control characters. The flag marks those above the limit,
/// which must be rejected.
fn text_values(schema: &Value) -> Vec<(String, bool)> {
    if !types(schema).contains(&"string") {
        return Vec::new();
    }
    let most = schema["maxLength"].as_u64();
    let longest = most.map(|most| usize::try_from(most).unwrap());
    let at = longest.map(|longest| ("x".repeat(longest), false));
    let over = longest.map(|longest| ("x".repeat(longest + 1), true));
    let odd = [String::new(), "\u{0}\u{1f}\u{7f}\u{85}".to_owned()];
    odd.into_iter()
        .map(|text| (text, false))
        .chain(at)
        .chain(over)
        .collect()
}

struct RouteTest<'a> {
    owner: &'a Owner,
    route: &'a Route,
    base: Value,
    cases: usize,
    /// Whether one field was very long.
    has_sent_long_text: bool,
}

impl RouteTest<'_> {
    async fn send(&mut self, body: &Value) -> Response {
        self.cases += 1;
        let method = self.route.method.name();
        let key = unique("matrix");
        let headers = [
            ("content-type", "application/json"),
            ("idempotency-key", &*key),
        ];
        let path = self.owner.path(self.route);
        let bytes = body.to_string().into_bytes();
        let response = self
            .owner
            .client
            .send(method, &path, &headers, Some(bytes))
            .await;
        // The tests have no access to the page of the example.
        let not_loaded = path == "/webpage-to-pdf" && response.status == 502;
        assert!(
            response.status < 500 || not_loaded,
            "{method} {path}: {}",
            response.text()
        );
        response
    }

    /// Asserts that the field is reported as invalid.
    async fn assert_rejected(&mut self, body: &Value, name: &str, status: u16) {
        let response = self.send(body).await;
        let shown: String = body.to_string().chars().take(200).collect();
        let at = format!("{} with {shown}: {}", self.route.operation, response.text());
        assert_eq!(response.status, status, "{at}");
        let path = format!("$.{name}");
        let errors = response.json()["errors"].as_array().unwrap().clone();
        let is_named = |error: &Value| error["path"].as_str().unwrap().starts_with(&path);
        assert!(errors.iter().any(is_named), "{at}");
    }

    fn with_field(&self, name: &str, value: Value) -> Value {
        let mut body = self.base.clone();
        body[name] = value;
        body
    }

    async fn check_field(&mut self, name: &str, schema: &Value, status: u16) {
        for value in wrong_types(schema) {
            let body = self.with_field(name, value);
            self.assert_rejected(&body, name, status).await;
        }
        // URLs are skipped, because valid ones would be fetched.
        if name.to_lowercase().contains("url") {
            return;
        }
        let texts = text_values(schema);
        if !texts.is_empty() && !self.has_sent_long_text {
            self.has_sent_long_text = true;
            let body = self.with_field(name, json!("x".repeat(900_000)));
            self.send(&body).await;
        }
        for (text, is_too_long) in texts {
            let body = self.with_field(name, json!(text));
            if is_too_long {
                self.assert_rejected(&body, name, status).await;
            } else {
                self.send(&body).await;
            }
        }
    }
}

#[tokio::test]
async fn every_invalid_field_is_named() {
    let owner = Owner::new().await;
    let description = owner.client.get("/openapi.json").await.json();
    let mut cases = 0;
    for route in ROUTES {
        // Requests of other origins are rejected before the body is read.
        let read = route.path != "/sandbox/convert";
        let Some(body) = route.body.as_ref().filter(|_| read) else {
            continue;
        };
        let method = route.method.name().to_lowercase();
        let schema = &description["paths"][route.path][method]["requestBody"]["content"];
        let schema = resolve(&description, &schema["application/json"]["schema"]);
        let base = serde_json::from_str(body.example).unwrap();
        let mut test = RouteTest {
            owner: &owner,
            route,
            base,
            cases: 0,
            has_sent_long_text: false,
        };
        let properties = schema["properties"].as_object().unwrap();
        for (name, schema) in properties {
            test.check_field(name, resolve(&description, schema), body.invalid_status)
                .await;
        }
        for name in schema["required"].as_array().into_iter().flatten() {
            let name = name.as_str().unwrap();
            let mut without = test.base.clone();
            without.as_object_mut().unwrap().shift_remove(name);
            test.assert_rejected(&without, name, body.invalid_status)
                .await;
            let mut other_case = without.clone();
            other_case[name.to_uppercase()] = test.base[name].clone();
            test.assert_rejected(&other_case, name, body.invalid_status)
                .await;
        }
        if !ignores_unknown_fields(schema) {
            let unknown = test.with_field("unknown", json!("red"));
            test.assert_rejected(&unknown, "unknown", body.invalid_status)
                .await;
        }
        cases += test.cases;
    }
    println!("{cases} bodies with one member wrong");
}
