//! Every route that takes a body, with what is no body; every route that takes an idempotency key, with what is no key.

use contract::route::{Idempotency, ROUTES, Route};
use serde_json::json;
use tests::client::Answer;

use super::Owner;
use crate::refusal::assert_refused;

/// The status of a body whose members are wrong, as the decisions say it.
fn malformed(route: &Route) -> u16 {
    match route.path {
        "/jobs" | "/pipeline" | "/convert" | "/ocr" | "/compress" | "/pdf" | "/merge" => 422,
        path if path.ends_with("/process") => 422,
        _ => 400,
    }
}

async fn send(owner: &Owner, route: &Route, headers: &[(&str, &str)], body: &str) -> Answer {
    let (method, path) = (route.method.name(), owner.path(route));
    let body = Some(body.as_bytes().to_vec());
    owner.client.send(method, &path, headers, body).await
}

#[tokio::test]
async fn what_is_no_body_is_refused_by_every_route_that_takes_one() {
    let owner = Owner::new().await;
    // Whoever is not the service's own page is refused before its body is read.
    let takes_body = |route: &&Route| route.body.is_some() && route.path != "/sandbox/convert";
    let mut tried = 0;
    for route in ROUTES.iter().filter(takes_body) {
        let key = tests::client::unique("matrix");
        let with = async |media_type: &str, body: &str| {
            let headers = [("content-type", media_type), ("idempotency-key", &key)];
            send(&owner, route, &headers, body).await
        };
        let answer = with("text/plain", "{}").await;
        assert_refused(&answer, 415, "unsupported_media_type", &[]);
        let deep = format!("{}{}", "[".repeat(65), "]".repeat(65));
        for body in ["", "{", "{'a': 1}", "{} {}", &deep] {
            let answer = with("application/json", body).await;
            assert_refused(&answer, 400, "invalid_request", &[]);
        }
        for body in ["[]", "null", "\"text\"", "7"] {
            let answer = with("application/json", body).await;
            let fault = [("$", "invalid_value")];
            assert_refused(&answer, malformed(route), "invalid_request", &fault);
        }
        let large = format!("[\"{}\"]", "a".repeat(1_000_000));
        let answer = with("application/json", &large).await;
        assert_refused(&answer, 413, "payload_too_large", &[]);
        tried += 11;
    }
    println!("{tried} pairs of a route and what is no body");
}

#[tokio::test]
async fn what_is_no_key_is_refused_by_every_route_that_takes_one() {
    let owner = Owner::new().await;
    let takes_key = |route: &&Route| route.idempotency != Idempotency::None;
    let paths: Vec<_> = ROUTES
        .iter()
        .filter(takes_key)
        .map(|route| route.path)
        .collect();
    // Those of the specification, and those of the decisions.
    for path in [
        "/jobs",
        "/pipeline",
        "/documents/{documentId}/process",
        "/documents/{documentId}/pages/{pageId}/process",
        "/files/upload",
        "/convert",
        "/compress",
        "/pdf",
        "/ocr",
        "/merge",
        "/documents/import",
        "/webhooks",
    ] {
        assert!(paths.contains(&path), "{path}");
    }
    for route in ROUTES.iter().filter(takes_key) {
        let body = known_form(route.body.as_ref().unwrap().example);
        let seven_and_more = ["", "1234567", "with space", "schlüssel-lang-genug"];
        let too_long = "k".repeat(201);
        for key in seven_and_more.into_iter().chain([too_long.as_str()]) {
            let headers = [
                ("content-type", "application/json"),
                ("idempotency-key", key),
            ];
            let answer = send(&owner, route, &headers, &body).await;
            assert_refused(&answer, 400, "idempotency_key_invalid", &[]);
        }
        let answer = send(
            &owner,
            route,
            &[("content-type", "application/json")],
            &body,
        )
        .await;
        let required = ["/jobs", "/pipeline"].contains(&route.path);
        let code = answer.json()["code"].clone();
        assert_eq!(
            code == json!("idempotency_key_required"),
            required,
            "{}",
            answer.text()
        );
    }
}

/// An example, with the form of source keys in place of what stands for them.
fn known_form(example: &str) -> String {
    let mut body: serde_json::Value = serde_json::from_str(example).unwrap();
    for keys in body["sourceKeys"].as_array_mut().into_iter().flatten() {
        *keys = json!("src_01arz3ndektsv4rrffq69g5fav");
    }
    if body["sourceKeys"].is_null() {
        body.as_object_mut().unwrap().shift_remove("sourceKeys");
    }
    body.to_string()
}
