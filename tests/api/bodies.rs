//! Bodies as such: media type, syntax, depth and size, for both routes that take one.

use tests::client::{Answer, unique};

use crate::account::Account;
use crate::refusal::assert_refused;

/// Each route and its status for a body that is no object.
const ROUTES: [(&str, u16); 2] = [("/jobs", 422), ("/files/upload", 400)];

async fn send(account: &Account, path: &str, media_type: Option<&str>, body: &[u8]) -> Answer {
    let key = unique("body");
    let mut headers = vec![("idempotency-key", key.as_str())];
    headers.extend(media_type.map(|media_type| ("content-type", media_type)));
    account
        .client
        .send("POST", path, &headers, Some(body.to_vec()))
        .await
}

async fn send_json(account: &Account, path: &str, body: &str) -> Answer {
    send(account, path, Some("application/json"), body.as_bytes()).await
}

#[tokio::test]
async fn only_json_is_read() {
    let account = Account::new("business");
    for (path, status) in ROUTES {
        for other in [
            "text/plain",
            "application/x-www-form-urlencoded",
            "application/jsonp",
            "json",
        ] {
            let answer = send(&account, path, Some(other), b"{}").await;
            assert_refused(&answer, 415, "unsupported_media_type", &[]);
        }
        let answer = send(&account, path, None, b"{}").await;
        assert_refused(&answer, 415, "unsupported_media_type", &[]);
        for json in [
            "application/json; charset=utf-8",
            "Application/JSON",
            " application/json ;x=y",
        ] {
            let answer = send(&account, path, Some(json), b"{}").await;
            assert_eq!(
                answer.refusal(),
                (status, "invalid_request".to_owned()),
                "{json}"
            );
        }
    }
}

#[tokio::test]
async fn what_does_not_parse_is_refused() {
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
            let answer = send_json(&account, path, body).await;
            assert_eq!(answer.status, 400, "{body:?}: {}", answer.text());
            assert_refused(&answer, 400, "invalid_request", &[]);
        }
    }
}

#[tokio::test]
async fn what_is_no_object_is_refused_as_a_whole() {
    let account = Account::new("business");
    for (path, status) in ROUTES {
        for body in ["null", "true", "7", "\"text\"", "[]", "[{}]"] {
            let answer = send_json(&account, path, body).await;
            assert_refused(
                &answer,
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
async fn sixty_four_levels_are_enough() {
    let account = Account::new("business");
    for (path, status) in ROUTES {
        for levels in [65, 100, 127, 200, 100_000] {
            let answer = send_json(&account, path, &nested(levels)).await;
            assert_refused(&answer, 400, "invalid_request", &[]);
        }
        let answer = send_json(&account, path, &nested(64)).await;
        assert_refused(
            &answer,
            status,
            "invalid_request",
            &[("$", "invalid_value")],
        );
    }
    let mut body = account.conversion().await;
    body["metadata"] = serde_json::from_str(&format!("{{\"k\": {}}}", nested(62))).unwrap();
    account.accept(&body).await;
}

#[tokio::test]
async fn a_body_may_have_a_million_bytes() {
    let account = Account::new("business");
    for (path, status) in ROUTES {
        let body = |bytes: usize| format!("[\"{}\"]", "a".repeat(bytes - 4));
        let most = send_json(&account, path, &body(1_000_000)).await;
        assert_refused(&most, status, "invalid_request", &[("$", "invalid_value")]);
        for bytes in [1_000_001, 5_000_000] {
            let answer = send_json(&account, path, &body(bytes)).await;
            assert_refused(&answer, 413, "payload_too_large", &[]);
        }
    }
}
