//! Foreign, unknown and malformed identifiers in every path get the same response.

use contract::route::{Method, ROUTES, Route};

use super::{Owner, path_parameters};
use crate::problem::without_request_id;

/// Returns a foreign identifier, and unknown and malformed ones.
fn unknown_identifiers(name: &str, foreign: &str) -> Vec<String> {
    let prefix = foreign.split_once('_').map_or("", |(prefix, _)| prefix);
    let known = match name {
        "keyId" => "0123456789abcdef".to_owned(),
        _ => format!("{prefix}_01arz3ndektsv4rrffq69g5fav"),
    };
    vec![
        foreign.to_owned(),
        known,
        format!("{prefix}_"),
        "junk".to_owned(),
        "src_01arz3ndektsv4rrffq69g5fav".to_owned(),
        foreign.to_uppercase(),
        "a%20b".to_owned(),
        "%C3%A4".to_owned(),
        "x".repeat(2_000),
    ]
}

/// Returns the example body of a route.
fn example_body(route: &Route) -> Option<Vec<u8>> {
    route
        .body
        .as_ref()
        .map(|body| body.example.as_bytes().to_vec())
}

#[tokio::test]
async fn foreign_unknown_and_malformed_identifiers_are_indistinguishable() {
    let (own, other) = (Owner::new().await, Owner::new().await);
    let mut cases = 0;
    for route in ROUTES {
        for name in path_parameters(route) {
            let mut bodies: Vec<(String, String)> = Vec::new();
            for value in unknown_identifiers(name, other.id(name)) {
                let path = own.path_with(route, name, &value);
                let method = route.method.name();
                let headers = match route.method {
                    Method::Post | Method::Patch => vec![("content-type", "application/json")],
                    Method::Get | Method::Delete => Vec::new(),
                };
                let response = own
                    .client
                    .send(method, &path, &headers, example_body(route))
                    .await;
                let (status, code) = response.problem();
                assert_eq!(status, 404, "{method} {path}: {}", response.text());
                assert!(code.ends_with("_not_found"), "{method} {path}: {code}");
                bodies.push((path, without_request_id(&response)));
                cases += 1;
            }
            let (_, first) = &bodies[0];
            for (path, body) in &bodies {
                assert_eq!(body, first, "{path}");
            }
        }
    }
    println!("{cases} pairs of a route and an identifier");
}
