//! Errors of the compatibility routes; none is charged.

use serde_json::{Value, json};
use tests::client::unique;
use tests::stack::stack;

use super::post;
use crate::account::Account;
use crate::problem::{assert_error, without_request_id};

#[tokio::test]
async fn invalid_bodies_are_rejected_and_unknown_fields_ignored() {
    let account = Account::new("pro");
    let before = account.usage().await;
    let url = "https://example.com/a.docx";
    let missing = |name: &str| (format!("$.{name}"), "missing_field");
    let wrong = |name: &str| (format!("$.{name}"), "invalid_value");
    for (path, body, expected_error) in [
        (
            "/convert",
            json!({"format": "pdf", "unknown": "red"}),
            missing("sourceKey"),
        ),
        (
            "/convert",
            json!({"format": "pdf", "url": url, "sourceKey": "src_1"}),
            wrong("url"),
        ),
        ("/convert", json!({"url": url}), missing("format")),
        (
            "/convert",
            json!({"url": url, "format": null}),
            wrong("format"),
        ),
        ("/ocr", json!({}), missing("sourceKey")),
        (
            "/ocr",
            json!({"url": url, "language": 7}),
            wrong("language"),
        ),
        (
            "/compress",
            json!({"sourceKey": "src_1", "quality": 0}),
            wrong("quality"),
        ),
        (
            "/compress",
            json!({"sourceKey": "src_1", "quality": "80"}),
            wrong("quality"),
        ),
        ("/pdf", json!({"operation": "split"}), missing("sourceKeys")),
        (
            "/pdf",
            json!({"operation": "merge", "sourceKeys": ["src_1"]}),
            wrong("sourceKeys"),
        ),
        (
            "/pdf",
            json!({"operation": "split", "sourceKeys": ["src_1", "src_2"]}),
            wrong("sourceKeys"),
        ),
        ("/merge", json!({"files": [url]}), wrong("files")),
        ("/merge", json!({"files": vec![url; 21]}), wrong("files")),
        ("/merge", json!({"files": [url, 7]}), wrong("files[1]")),
    ] {
        let response = post(&account, path, None, &body).await;
        let expected_error = (expected_error.0.as_str(), expected_error.1);
        assert_error(&response, 422, "invalid_request", &[expected_error]);
    }
    assert_eq!(account.usage().await, before);
    assert_eq!(account.jobs().await, Vec::<String>::new());
}

#[tokio::test]
async fn media_type_and_syntax_are_checked_first() {
    let account = Account::new("pro");
    for path in ["/convert", "/ocr", "/compress", "/pdf", "/merge"] {
        let send = async |media_type: &str, body: &str| {
            let headers = [("content-type", media_type)];
            let body = Some(body.as_bytes().to_vec());
            account.client.send("POST", path, &headers, body).await
        };
        let response = send("text/plain", "{}").await;
        assert_error(&response, 415, "unsupported_media_type", &[]);
        let response = send("application/json", "{").await;
        assert_error(&response, 400, "invalid_request", &[]);
        let response = send("application/json", "[]").await;
        assert_error(&response, 422, "invalid_request", &[("$", "invalid_value")]);
    }
}

#[tokio::test]
async fn blocked_urls_are_indistinguishable() {
    let account = Account::new("pro");
    let own = stack().base_url.replace("http://", "https://");
    let mut bodies = Vec::new();
    for url in [
        "",
        "http://example.com/a.docx",
        "https://127.0.0.1/a.docx",
        "https://169.254.169.254/a.docx",
        &format!("{own}/health"),
    ] {
        let body = json!({"url": url, "filename": "a.docx", "format": "pdf"});
        let response = post(&account, "/convert", None, &body).await;
        assert_error(&response, 422, "url_blocked", &[("$.url", "url_blocked")]);
        bodies.push(without_request_id(&response));
    }
    bodies.dedup();
    assert_eq!(bodies.len(), 1, "{bodies:?}");
}

#[tokio::test]
async fn unknown_and_foreign_uploads_are_indistinguishable() {
    let (own, other) = (Account::new("pro"), Account::new("pro"));
    let foreign = other.conversion_body().await["sourceKey"].take();
    let mine = own.conversion_body().await["sourceKey"].take();
    let mut bodies = Vec::new();
    for key in [
        json!("src_01arz3ndektsv4rrffq69g5fav"),
        foreign,
        json!("junk"),
    ] {
        let body = json!({"sourceKey": key, "inputFormat": "pdf", "format": "txt"});
        let response = post(&own, "/convert", None, &body).await;
        let expected_error = ("$.sourceKey", "source_unavailable");
        assert_error(&response, 422, "source_unavailable", &[expected_error]);
        bodies.push(without_request_id(&response));
        let body = json!({"operation": "merge", "sourceKeys": [mine, key]});
        let response = post(&own, "/pdf", None, &body).await;
        let expected_error = ("$.sourceKeys[1]", "source_unavailable");
        assert_error(&response, 422, "source_unavailable", &[expected_error]);
    }
    bodies.dedup();
    assert_eq!(bodies.len(), 1, "{bodies:?}");
}

#[tokio::test]
async fn unsupported_requests_name_the_field() {
    let account = Account::new("pro");
    let source = account.conversion_body().await["sourceKey"].take();
    let with = |more: Value| {
        let mut body = json!({"sourceKey": source, "sourceKeys": [source]});
        body.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        body
    };
    for (path, body, code, at) in [
        (
            "/convert",
            with(json!({"format": "exe"})),
            "unsupported_conversion",
            "$.format",
        ),
        (
            "/convert",
            with(json!({"format": "pdf"})),
            "unsupported_conversion",
            "$.format",
        ),
        (
            "/ocr",
            with(json!({"language": "klingon"})),
            "unsupported_language",
            "$.language",
        ),
        (
            "/ocr",
            with(json!({"inputFormat": "docx"})),
            "unsupported_operation",
            "$.sourceKey",
        ),
        (
            "/compress",
            with(json!({"inputFormat": "docx"})),
            "unsupported_operation",
            "$.sourceKey",
        ),
        (
            "/pdf",
            with(json!({"operation": "shred"})),
            "unsupported_operation",
            "$.operation",
        ),
        (
            "/pdf",
            with(json!({"operation": "resize", "width": 9})),
            "unsupported_operation",
            "$.operation",
        ),
    ] {
        let response = post(&account, path, None, &body).await;
        assert_error(&response, 422, code, &[(at, code)]);
    }
    let body = with(json!({"operation": "rotate", "angle": 45}));
    let response = post(&account, "/pdf", None, &body).await;
    assert_error(
        &response,
        422,
        "invalid_step",
        &[("$.angle", "invalid_value")],
    );
    assert_eq!(account.jobs().await, Vec::<String>::new());
}

#[tokio::test]
async fn an_idempotency_key_belongs_to_one_request() {
    let account = Account::new("pro");
    let body = account.conversion_body().await;
    let key = unique("compat");
    let first = post(&account, "/convert", Some(&key), &body).await;
    assert_eq!(first.status, 202, "{}", first.text());
    let mut other = body.clone();
    other["format"] = json!("png");
    let reused = post(&account, "/convert", Some(&key), &other).await;
    assert_error(&reused, 422, "idempotency_key_reused", &[]);
    let short = post(&account, "/convert", Some("short"), &body).await;
    assert_error(&short, 400, "idempotency_key_invalid", &[]);
    // The key is scoped to the route, so the same key on another route creates another job.
    assert_eq!(
        account.client.create_job(&body, Some(&key)).await.status,
        202
    );
    assert_eq!(account.jobs().await.len(), 2);
}
