//! Scopes: each route with all scopes but the required one, and with only the required one.

use contract::route::{Access, ROUTES, Route};
use domain::scope::Scope;
use tests::client::{Client, Response};

use crate::account::Account;
use crate::problem::{assert_error, assert_problem, expected_problem};

const NO_JOB: &str = "job_01arz3ndektsv4rrffq69g5fav";
const NO_WEBHOOK: &str = "wh_01arz3ndektsv4rrffq69g5fav";
const NO_DELIVERY: &str = "dlv_01arz3ndektsv4rrffq69g5fav";

async fn call(client: &Client, route: &Route) -> Response {
    let path = route
        .path
        .replace("{jobId}", NO_JOB)
        .replace("{keyId}", "0123456789abcdef")
        .replace("{documentId}", "doc_01arz3ndektsv4rrffq69g5fav")
        .replace("{versionId}", "ver_01arz3ndektsv4rrffq69g5fav")
        .replace("{pageId}", "pag_01arz3ndektsv4rrffq69g5fav")
        .replace("{webhookId}", NO_WEBHOOK)
        .replace("{deliveryId}", NO_DELIVERY);
    client.send(route.method.name(), &path, &[], None).await
}

/// Returns the scope that the specification requires for a route.
fn required_scope(route: &Route) -> Option<&'static str> {
    Some(match (route.method.name(), route.path) {
        ("POST", "/jobs" | "/pipeline" | "/convert" | "/ocr" | "/compress" | "/pdf" | "/merge")
        | ("DELETE", "/jobs/{jobId}") => "jobs:create",
        ("GET", "/jobs" | "/jobs/{jobId}" | "/jobs/{jobId}/result") => "jobs:read",
        ("POST", "/files/upload") => "files:write",
        ("POST", "/documents/import") | ("PATCH" | "DELETE", "/documents/{documentId}") => {
            "documents:write"
        }
        ("GET", path) if path.starts_with("/documents") => "documents:read",
        ("POST", "/hooks/subscribe" | "/hooks/unsubscribe") => "hooks:write",
        ("GET", "/hooks" | "/hooks/samples") => "hooks:read",
        (_, path) if path.starts_with("/webhooks") => "webhooks:write",
        _ => return None,
    })
}

#[tokio::test]
async fn every_route_that_is_not_public_needs_a_key() {
    for route in ROUTES {
        let response = call(&Client::with_key(None), route).await;
        // Routes that need a body get none.
        let open = match route.path {
            "/health" | "/formats" | "/openapi.json" => Some(200),
            "/webpage-to-pdf" => Some(415),
            "/sandbox/convert" => Some(403),
            _ => None,
        };
        assert_eq!(
            route.access == Access::Open,
            open.is_some(),
            "{}",
            route.operation
        );
        match open {
            Some(status) => assert_eq!(response.status, status, "{}", route.operation),
            None => assert_error(&response, 401, "authentication_required", &[]),
        }
    }
}

#[tokio::test]
async fn a_missing_scope_is_rejected_and_named() {
    let account = Account::new("business");
    for route in ROUTES {
        let Some(scope) = required_scope(route) else {
            continue;
        };
        let others = Scope::ALL.iter().map(|scope| scope.name());
        let others: Vec<_> = others.filter(|other| *other != scope).collect();
        let (_, key) = account.new_key(&["--scopes", &others.join(",")]);
        let response = call(&Client::with_key(Some(&key)), route).await;
        let path = route
            .path
            .replace("{jobId}", NO_JOB)
            .replace("{documentId}", "doc_01arz3ndektsv4rrffq69g5fav")
            .replace("{versionId}", "ver_01arz3ndektsv4rrffq69g5fav")
            .replace("{pageId}", "pag_01arz3ndektsv4rrffq69g5fav")
            .replace("{webhookId}", NO_WEBHOOK)
            .replace("{deliveryId}", NO_DELIVERY);
        let title = "The credential lacks a required scope";
        let expected = expected_problem(403, "insufficient_scope", title, &path, false);
        assert_problem(&response, &expected);
        let header = format!("Bearer error=\"insufficient_scope\", scope=\"{scope}\"");
        assert_eq!(response.header("www-authenticate"), header);
        let (_, key) = account.new_key(&["--scopes", scope]);
        let response = call(&Client::with_key(Some(&key)), route).await;
        assert!(
            ![401, 403].contains(&response.status),
            "{}",
            route.operation
        );
    }
    assert_eq!(account.jobs().await, Vec::<String>::new());
}

#[tokio::test]
async fn any_key_may_read_the_usage() {
    let account = Account::new("business");
    for scope in Scope::ALL {
        let (_, key) = account.new_key(&["--scopes", scope.name()]);
        assert_eq!(Client::with_key(Some(&key)).get("/usage").await.status, 200);
    }
}
