//! Every member of every body, wrong in every way: named by its path, with the status of its route, and never a 500.

use contract::route::{ROUTES, Route};
use serde_json::{Value, json};
use tests::client::{Answer, unique};

use super::Owner;

/// The compatibility forms ignore what they do not know.
fn is_open(schema: &Value) -> bool {
    schema["additionalProperties"] != json!(false)
}

/// A schema with its reference followed.
fn followed<'a>(description: &'a Value, schema: &'a Value) -> &'a Value {
    match schema["$ref"].as_str() {
        Some(reference) => description.pointer(&reference[1..]).unwrap(),
        None => schema,
    }
}

/// The JSON types that a schema admits; none when it does not say.
fn types(schema: &Value) -> Vec<&str> {
    match &schema["type"] {
        Value::String(name) => vec![name],
        Value::Array(names) => names.iter().map(|name| name.as_str().unwrap()).collect(),
        _ if schema.get("enum").is_some() || schema.get("const").is_some() => vec!["string"],
        _ => Vec::new(),
    }
}

/// A value of each type that a schema does not admit.
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
    // A number that is not whole is tried where only whole ones are right.
    let fraction = types.contains(&"integer").then(|| json!(1.5));
    wrong.map(|(_, value)| value).chain(fraction).collect()
}

/// Texts that are empty, at the limit, over it, enormous, and full of control characters. What they are answered with is
/// the member's own business, but for those over the limit.
fn texts(schema: &Value) -> Vec<(String, bool)> {
    if !types(schema).contains(&"string") {
        return Vec::new();
    }
    let most = schema["maxLength"].as_u64();
    let longest = most.map(|most| usize::try_from(most).unwrap());
    let at = longest.map(|longest| ("x".repeat(longest), false));
    let over = longest.map(|longest| ("x".repeat(longest + 1), true));
    let odd = [
        String::new(),
        "\u{0}\u{1f}\u{7f}\u{85}".to_owned(),
        "x".repeat(900_000),
    ];
    odd.into_iter()
        .map(|text| (text, false))
        .chain(at)
        .chain(over)
        .collect()
}

struct Trial<'a> {
    owner: &'a Owner,
    route: &'a Route,
    base: Value,
    tried: usize,
}

impl Trial<'_> {
    async fn send(&mut self, body: &Value) -> Answer {
        self.tried += 1;
        let method = self.route.method.name();
        let key = unique("matrix");
        let headers = [
            ("content-type", "application/json"),
            ("idempotency-key", &*key),
        ];
        let path = self.owner.path(self.route);
        let bytes = body.to_string().into_bytes();
        let answer = self
            .owner
            .client
            .send(method, &path, &headers, Some(bytes))
            .await;
        // The page of the example cannot be loaded from where the tests run.
        let not_loaded = path == "/webpage-to-pdf" && answer.status == 502;
        assert!(
            answer.status < 500 || not_loaded,
            "{method} {path}: {}",
            answer.text()
        );
        answer
    }

    /// Expects the member to be named as at fault.
    async fn refused(&mut self, body: &Value, name: &str, malformed: u16) {
        let answer = self.send(body).await;
        let shown: String = body.to_string().chars().take(200).collect();
        let at = format!("{} with {shown}: {}", self.route.operation, answer.text());
        assert_eq!(answer.status, malformed, "{at}");
        let path = format!("$.{name}");
        let faults = answer.json()["errors"].as_array().unwrap().clone();
        let named = |fault: &Value| fault["path"].as_str().unwrap().starts_with(&path);
        assert!(faults.iter().any(named), "{at}");
    }

    fn with(&self, name: &str, value: Value) -> Value {
        let mut body = self.base.clone();
        body[name] = value;
        body
    }

    async fn member(&mut self, name: &str, schema: &Value, malformed: u16) {
        for value in wrong_types(schema) {
            let body = self.with(name, value);
            self.refused(&body, name, malformed).await;
        }
        // Addresses are not tried out: they would be fetched.
        for (text, over) in texts(schema)
            .into_iter()
            .filter(|_| !name.to_lowercase().contains("url"))
        {
            let body = self.with(name, json!(text));
            if over {
                self.refused(&body, name, malformed).await;
            } else {
                self.send(&body).await;
            }
        }
    }
}

#[tokio::test]
async fn every_member_that_is_wrong_is_named() {
    let owner = Owner::new().await;
    let description = owner.client.get("/openapi.json").await.json();
    let mut tried = 0;
    for route in ROUTES {
        // Whoever is not the service's own page is refused before its body is read.
        let read = route.path != "/sandbox/convert";
        let Some(body) = route.body.as_ref().filter(|_| read) else {
            continue;
        };
        let method = route.method.name().to_lowercase();
        let schema = &description["paths"][route.path][method]["requestBody"]["content"];
        let schema = followed(&description, &schema["application/json"]["schema"]);
        let base = serde_json::from_str(body.example).unwrap();
        let mut trial = Trial {
            owner: &owner,
            route,
            base,
            tried: 0,
        };
        let properties = schema["properties"].as_object().unwrap();
        for (name, schema) in properties {
            trial
                .member(name, followed(&description, schema), body.malformed)
                .await;
        }
        for name in schema["required"].as_array().into_iter().flatten() {
            let name = name.as_str().unwrap();
            let mut without = trial.base.clone();
            without.as_object_mut().unwrap().shift_remove(name);
            trial.refused(&without, name, body.malformed).await;
            let mut other_case = without.clone();
            other_case[name.to_uppercase()] = trial.base[name].clone();
            trial.refused(&other_case, name, body.malformed).await;
        }
        if !is_open(schema) {
            let unknown = trial.with("colour", json!("red"));
            trial.refused(&unknown, "colour", body.malformed).await;
        }
        tried += trial.tried;
    }
    println!("{tried} bodies with one member wrong");
}
