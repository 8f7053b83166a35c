//! Request bodies: media type, syntax, nesting depth and size.

use tests::client::{Response, unique};

use crate::account::Account;
use crate::problem::assert_error;

/// Routes and their status for a body that is not an object.
const ROUTES: [(&str, u16); 2] = [("/jobs", 422), ("/files/upload", 400)];

async fn send(account: &Account, path: &str, media_type: Option<&str>, body: &[u8]) -> Response {
    let key = unique("body");
    let mut headers = vec![("idempotency-key", key.as_str())];
    headers.extend(media_type.map(|media_type| ("content-type", media_type)));
    account
        .client
        .send("POST", path, &headers, Some(body.to_vec()))
        .await
}

async fn send_json(account: &Account, path: &str, body: &str) -> Response {
    send(account, path, Some("application/json"), body.as_bytes()).await
}

#[tokio::test]
async fn other_media_types_are_rejected() {
    let account = Account::new("business");
    for (path, status) in ROUTES {
        for other in [
            "text/plain",
            "application/x-www-form-urlencoded",
            "application/jsonp",
            "json",
        ] {
            let response = send(&account, path, Some(other), b"{}").await;
            assert_error(&response, 415, "unsupported_media_type", &[]);
        }
        let response = send(&account, path, None, b"{}").await;
        assert_error(&response, 415, "unsupported_media_type", &[]);
        for json in [
            "application/json; charset=utf-8",
            "Application/JSON",
            " application/json ;x=y",
        ] {
            let response = send(&account, path, Some(json), b"{}").await;
            assert_eq!(
                response.problem(),
                (status, "invalid_request".to_owned()),
                "{json}"
            );
        }
    }
}

#[tokio::test]
async fn malformed_json_is_rejected() {
    let account = Account::new("business");
    let lone_surrogate = r#"{"filename": "\ud800"}"#;
    let bad = [
        "",
        " ",
        "{",
        "nonsense",
        "{}x",
        "{'a': 1}",
        "{\"a\": 1,}",
        "{\"a\": NaN}",
        "{\"a\": 01}",
        "{\"a\": 1e999}",
        "\u{feff}{}",
        lone_surrogate,
        "{\"a\": \"\u{1}\"}",
        "{\"a\": 1, \"a\": 1}",
        "{\"a\": [{\"b\": 1, \"c\": 2, \"b\": 3}]}",
    ];
    for (path, _) in ROUTES {
        for body in bad {
            let response = send_json(&account, path, body).await;
            assert_eq!(response.status, 400, "{body:?}: {}", response.text());
            assert_error(&response, 400, "invalid_request", &[]);
        }
    }
}

#[tokio::test]
async fn a_body_that_is_not_an_object_is_rejected_at_the_root() {
    let account = Account::new("business");
    for (path, status) in ROUTES {
        for body in ["null", "true", "7", "\"text\"", "[]", "[{}]"] {
            let response = send_json(&account, path, body).await;
            assert_error(
                &response,
                status,
                "invalid_request",
                &[("$", "invalid_value")],
            );
        }
    }
}

fn nested(levels: usize) -> String {
    format!("{}{}", "[".repeat(levels), "]".repeat(levels))
}

#[tokio::test]
async fn nesting_is_limited_to_64_levels() {
    let account = Account::new("business");
    for (path, status) in ROUTES {
        for levels in [65, 100, 127, 200, 100_000] {
            let response = send_json(&account, path, &nested(levels)).await;
            assert_error(&response, 400, "invalid_request", &[]);
        }
        let response = send_json(&account, path, &nested(64)).await;
        assert_error(
            &response,
            status,
            "invalid_request",
            &[("$", "invalid_value")],
        );
    }
    let mut body = account.conversion_body().await;
    body["metadata"] = serde_json::from_str(&format!("{{\"k\": {}}}", nested(62))).unwrap();
    account.submit_job(&body).await;
}

#[tokio::test]
async fn bodies_are_limited_to_one_million_bytes() {
    let account = Account::new("business");
    for (path, status) in ROUTES {
        let body = |bytes: usize| format!("[\"{}\"]", "a".repeat(bytes - 4));
        let most = send_json(&account, path, &body(1_000_000)).await;
        assert_error(&most, status, "invalid_request", &[("$", "invalid_value")]);
        for bytes in [1_000_001, 5_000_000] {
            let response = send_json(&account, path, &body(bytes)).await;
            assert_error(&response, 413, "payload_too_large", &[]);
        }
    }
}
