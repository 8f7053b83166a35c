//! Unknown paths and methods.

use contract::route::ROUTES;
use tests::client::Client;
use tests::stack::stack;

use crate::account::Account;
use crate::problem::{assert_error, assert_problem, expected_problem};

const NO_JOB: &str = "job_01arz3ndektsv4rrffq69g5fav";

#[tokio::test]
async fn unknown_paths_are_not_found() {
    let account = Account::new("business");
    for path in [
        "/",
        "",
        "/nothing",
        "/jobs/",
        "/usage/",
        "/JOBS",
        "/Usage",
        "//jobs",
        "/jobs//result",
        "/jobs/a/b/c",
        "/files",
        "/files/upload/x",
        "/formats.json",
        "/openapi",
        "/usage/%2e%2e",
        "/documents/",
        "/sandbox",
        "/webhooks/",
        "/hooks/none/x",
        "/.env",
    ] {
        for (client, method) in [(&account.client, "GET"), (&Client::with_key(None), "POST")] {
            let response = client.send(method, path, &[], None).await;
            assert_error(&response, 404, "route_not_found", &[]);
        }
    }
    let response = account.client.get("/nothing?x=1").await;
    let title = "The route does not exist";
    assert_problem(
        &response,
        &expected_problem(404, "route_not_found", title, "/nothing", false),
    );
}

#[tokio::test]
async fn an_encoded_slash_is_not_a_separator() {
    let account = Account::new("business");
    for path in [
        format!("/jobs/{NO_JOB}%2Fresult%2Fx"),
        format!("/jobs/%2F{NO_JOB}"),
        "/jobs/..%2F..%2Fusage".to_owned(),
    ] {
        let response = account.client.get(&path).await;
        assert_eq!(response.problem().0, 404, "{path}");
    }
}

#[tokio::test]
async fn paths_outside_the_base_path_are_not_found() {
    let site = stack().site_url.trim_end_matches('/');
    for path in ["/nothing", "/api", "/api/v1", "/api/v2/health", "/usage"] {
        let response = Client::with_key(None).get(&format!("{site}{path}")).await;
        assert_eq!(
            response.problem(),
            (404, "route_not_found".to_owned()),
            "{path}"
        );
        assert_eq!(response.json()["instance"], path);
    }
}

#[tokio::test]
async fn a_wrong_method_returns_the_allowed_ones() {
    let account = Account::new("business");
    for route in ROUTES {
        let same_path = ROUTES.iter().filter(|other| other.path == route.path);
        let mut allowed: Vec<_> = same_path.map(|other| other.method.name()).collect();
        let path = route
            .path
            .replace("{jobId}", NO_JOB)
            .replace("{keyId}", "0123456789abcdef")
            .replace("{documentId}", "doc_01arz3ndektsv4rrffq69g5fav")
            .replace("{versionId}", "ver_01arz3ndektsv4rrffq69g5fav")
            .replace("{pageId}", "pag_01arz3ndektsv4rrffq69g5fav")
            .replace("{webhookId}", "wh_01arz3ndektsv4rrffq69g5fav")
            .replace("{deliveryId}", "dlv_01arz3ndektsv4rrffq69g5fav");
        for method in ["GET", "POST", "DELETE", "PUT", "PATCH", "PROPFIND"] {
            if allowed.contains(&method) {
                continue;
            }
            let response = account.client.send(method, &path, &[], None).await;
            let title = "The route does not support this method";
            assert_problem(
                &response,
                &expected_problem(405, "method_not_allowed", title, &path, false),
            );
            let mut returned: Vec<_> = response.header("allow").split(", ").collect();
            returned.sort_unstable();
            allowed.sort_unstable();
            assert_eq!(returned, allowed, "{method} {path}");
        }
    }
}

#[tokio::test]
async fn head_is_not_allowed() {
    for path in ["/health", "/formats", "/jobs", "/usage"] {
        let response = Client::with_key(None).send("HEAD", path, &[], None).await;
        assert_eq!(response.status, 405, "{path}");
        assert!(!response.header("allow").is_empty(), "{path}");
        assert_eq!(response.bytes, b"");
    }
}

#[tokio::test]
async fn an_unknown_route_needs_no_key() {
    let response = Client::with_key(Some("oct_x_y")).get("/nothing").await;
    assert_error(&response, 404, "route_not_found", &[]);
    let response = Client::with_key(None).send("PUT", "/jobs", &[], None).await;
    assert_error(&response, 405, "method_not_allowed", &[]);
}
