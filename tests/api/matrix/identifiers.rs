//! Every identifier of every path: another account's, unknown, and malformed ones are the same answer.

use contract::route::{Method, ROUTES, Route};

use super::{Owner, path_parameters};
use crate::refusal::anonymous;

/// Identifiers that nobody has.
fn unknown(name: &str, foreign: &str) -> Vec<String> {
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

/// A body that a route takes, as its example.
fn body(route: &Route) -> Option<Vec<u8>> {
    route
        .body
        .as_ref()
        .map(|body| body.example.as_bytes().to_vec())
}

#[tokio::test]
async fn foreign_unknown_and_malformed_identifiers_are_one_answer() {
    let (own, other) = (Owner::new().await, Owner::new().await);
    let mut tried = 0;
    for route in ROUTES {
        for name in path_parameters(route) {
            let mut bodies: Vec<(String, String)> = Vec::new();
            for value in unknown(name, other.own(name)) {
                let path = own.path_with(route, name, &value);
                let method = route.method.name();
                let headers = match route.method {
                    Method::Post | Method::Patch => vec![("content-type", "application/json")],
                    Method::Get | Method::Delete => Vec::new(),
                };
                let answer = own.client.send(method, &path, &headers, body(route)).await;
                let (status, code) = answer.refusal();
                assert_eq!(status, 404, "{method} {path}: {}", answer.text());
                assert!(code.ends_with("_not_found"), "{method} {path}: {code}");
                bodies.push((path, anonymous(&answer)));
                tried += 1;
            }
            let (_, first) = &bodies[0];
            for (path, body) in &bodies {
                assert_eq!(body, first, "{path}");
            }
        }
    }
    println!("{tried} pairs of a route and an identifier");
}
