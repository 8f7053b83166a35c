//! Paths and methods that are no route.

use contract::route::ROUTES;
use tests::client::Client;
use tests::stack::stack;

use crate::account::Account;
use crate::refusal::{assert_problem, assert_refused, problem};

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
            let answer = client.send(method, path, &[], None).await;
            assert_refused(&answer, 404, "route_not_found", &[]);
        }
    }
    let answer = account.client.get("/nothing?x=1").await;
    let title = "There is no such route";
    assert_problem(
        &answer,
        &problem(404, "route_not_found", title, "/nothing", false),
    );
}

#[tokio::test]
async fn an_encoded_slash_makes_no_route() {
    let account = Account::new("business");
    for path in [
        format!("/jobs/{NO_JOB}%2Fresult%2Fx"),
        format!("/jobs/%2F{NO_JOB}"),
        "/jobs/..%2F..%2Fusage".to_owned(),
    ] {
        let answer = account.client.get(&path).await;
        assert_eq!(answer.refusal().0, 404, "{path}");
    }
}

#[tokio::test]
async fn what_lies_outside_the_base_path_is_not_found() {
    let site = stack().site_url.trim_end_matches('/');
    for path in ["/nothing", "/api", "/api/v1", "/api/v2/health", "/usage"] {
        let answer = Client::with_key(None).get(&format!("{site}{path}")).await;
        assert_eq!(
            answer.refusal(),
            (404, "route_not_found".to_owned()),
            "{path}"
        );
        assert_eq!(answer.json()["instance"], path);
    }
}

#[tokio::test]
async fn another_method_is_told_which_are_allowed() {
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
            let answer = account.client.send(method, &path, &[], None).await;
            let title = "The route does not know this method";
            assert_problem(
                &answer,
                &problem(405, "method_not_allowed", title, &path, false),
            );
            let mut told: Vec<_> = answer.header("allow").split(", ").collect();
            told.sort_unstable();
            allowed.sort_unstable();
            assert_eq!(told, allowed, "{method} {path}");
        }
    }
}

#[tokio::test]
async fn head_is_a_method_like_any_other() {
    for path in ["/health", "/formats", "/jobs", "/usage"] {
        let answer = Client::with_key(None).send("HEAD", path, &[], None).await;
        assert_eq!(answer.status, 405, "{path}");
        assert!(!answer.header("allow").is_empty(), "{path}");
        assert_eq!(answer.bytes, b"");
    }
}

#[tokio::test]
async fn an_unknown_route_asks_for_no_key() {
    let answer = Client::with_key(Some("oct_x_y")).get("/nothing").await;
    assert_refused(&answer, 404, "route_not_found", &[]);
    let answer = Client::with_key(None).send("PUT", "/jobs", &[], None).await;
    assert_refused(&answer, 405, "method_not_allowed", &[]);
}
