//! Invalid bodies and idempotency keys on every route that accepts one.

use contract::route::{Idempotency, ROUTES, Route};
use serde_json::json;
use tests::client::Response;

use super::Owner;
use crate::problem::assert_error;

/// Returns the status for a body with invalid fields.
fn invalid_field_status(route: &Route) -> u16 {
    match route.path {
        "/jobs" | "/pipeline" | "/convert" | "/ocr" | "/compress" | "/pdf" | "/merge" => 422,
        path if path.ends_with("/process") => 422,
        _ => 400,
    }
}

async fn send(owner: &Owner, route: &Route, headers: &[(&str, &str)], body: &str) -> Response {
    let (method, path) = (route.method.name(), owner.path(route));
    let body = Some(body.as_bytes().to_vec());
    owner.client.send(method, &path, headers, body).await
}

#[tokio::test]
async fn every_route_rejects_invalid_bodies() {
    let owner = Owner::new().await;
    // Requests of other origins are rejected before the body is read.
    let takes_body = |route: &&Route| route.body.is_some() && route.path != "/sandbox/convert";
    let mut cases = 0;
    for route in ROUTES.iter().filter(takes_body) {
        let key = tests::client::unique("matrix");
        let with = async |media_type: &str, body: &str| {
            let headers = [("content-type", media_type), ("idempotency-key", &key)];
            send(&owner, route, &headers, body).await
        };
        let response = with("text/plain", "{}").await;
        assert_error(&response, 415, "unsupported_media_type", &[]);
        let deep = format!("{}{}", "[".repeat(65), "]".repeat(65));
        for body in ["", "{", "{'a': 1}", "{} {}", &deep] {
            let response = with("application/json", body).await;
            assert_error(&response, 400, "invalid_request", &[]);
        }
        for body in ["[]", "null", "\"text\"", "7"] {
            let response = with("application/json", body).await;
            let expected_error = [("$", "invalid_value")];
            assert_error(
                &response,
                invalid_field_status(route),
                "invalid_request",
                &expected_error,
            );
        }
        let large = format!("[\"{}\"]", "a".repeat(1_000_000));
        let response = with("application/json", &large).await;
        assert_error(&response, 413, "payload_too_large", &[]);
        cases += 11;
    }
    println!("{cases} pairs of a route and what is no body");
}

#[tokio::test]
async fn every_route_rejects_invalid_idempotency_keys() {
    let owner = Owner::new().await;
    let takes_key = |route: &&Route| route.idempotency != Idempotency::None;
    let paths: Vec<_> = ROUTES
        .iter()
        .filter(takes_key)
        .map(|route| route.path)
        .collect();
    // The routes that the specification requires to accept a key.
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
        let body = with_valid_source_keys(route.body.as_ref().unwrap().example);
        let invalid = ["", "1234567", "with space", "schlüssel-lang-genug"];
        let too_long = "k".repeat(201);
        for key in invalid.into_iter().chain([too_long.as_str()]) {
            let headers = [
                ("content-type", "application/json"),
                ("idempotency-key", key),
            ];
            let response = send(&owner, route, &headers, &body).await;
            assert_error(&response, 400, "idempotency_key_invalid", &[]);
        }
        let response = send(
            &owner,
            route,
            &[("content-type", "application/json")],
            &body,
        )
        .await;
        let required = ["/jobs", "/pipeline"].contains(&route.path);
        let code = response.json()["code"].clone();
        assert_eq!(
            code == json!("idempotency_key_required"),
            required,
            "{}",
            response.text()
        );
    }
}

/// Replaces the placeholders of source keys in an example by well-formed keys.
fn with_valid_source_keys(example: &str) -> String {
    let mut body: serde_json::Value = serde_json::from_str(example).unwrap();
    for keys in body["sourceKeys"].as_array_mut().into_iter().flatten() {
        *keys = json!("src_01arz3ndektsv4rrffq69g5fav");
    }
    if body["sourceKeys"].is_null() {
        body.as_object_mut().unwrap().shift_remove("sourceKeys");
    }
    body.to_string()
}
