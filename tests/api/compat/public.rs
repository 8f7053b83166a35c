//! What is open to anybody: web pages, and the sandbox of the public page.

use serde_json::{Value, json};
use tests::client::{Answer, Client};
use tests::stack::stack;

use crate::poppler;
use crate::refusal::assert_refused;

fn nobody() -> Client {
    Client::with_key(None)
}

async fn render(body: &Value) -> Answer {
    nobody().post("/webpage-to-pdf", &[], body).await
}

#[tokio::test]
async fn a_url_that_may_not_be_rendered_is_refused() {
    let own = stack().base_url.clone();
    for (url, code) in [
        ("", "invalid_url"),
        ("example.com", "invalid_url"),
        ("file:///etc/passwd", "invalid_url"),
        ("ftp://example.com/", "invalid_url"),
        ("javascript:alert(1)", "invalid_url"),
        ("http://127.0.0.1/", "url_blocked"),
        ("http://10.0.0.1/", "url_blocked"),
        ("http://169.254.169.254/latest/meta-data/", "url_blocked"),
        ("http://[::1]/", "url_blocked"),
        ("https://user:word@example.com/", "url_blocked"),
        ("http://localhost/", "url_blocked"),
        (own.as_str(), "url_blocked"),
    ] {
        // More than the budget of a minute, of which none of them spends any.
        for _ in 0..6 {
            let answer = render(&json!({"url": url})).await;
            assert_refused(&answer, 400, code, &[("$.url", code)]);
        }
    }
    let answer = render(&json!({})).await;
    assert_refused(
        &answer,
        400,
        "invalid_request",
        &[("$.url", "missing_field")],
    );
    let answer = render(&json!([])).await;
    assert_refused(&answer, 400, "invalid_request", &[("$", "invalid_value")]);
}

/// What the public page carries.
pub(super) async fn token() -> String {
    let page = nobody().get(&stack().site_url).await.text();
    let (_, rest) = page
        .split_once("<meta name=\"sandbox-token\" content=\"")
        .unwrap();
    rest.split('"').next().unwrap().to_owned()
}

pub(super) async fn convert_sample(
    origin: Option<&str>,
    token: Option<&str>,
    body: &Value,
) -> Answer {
    let mut headers = Vec::new();
    headers.extend(origin.map(|origin| ("origin", origin)));
    headers.extend(token.map(|token| ("x-sandbox-token", token)));
    nobody().post("/sandbox/convert", &headers, body).await
}

#[tokio::test]
async fn the_sample_is_converted_for_the_services_own_page() {
    let (origin, token) = (stack().site_url.trim_end_matches('/'), token().await);
    for (format, content_type) in [
        ("pdf", "application/pdf"),
        ("png", "image/png"),
        ("txt", "text/plain"),
    ] {
        let body = json!({"format": format});
        let answer = convert_sample(Some(origin), Some(&token), &body).await;
        assert_eq!(answer.status, 200, "{format}: {}", answer.text());
        assert_eq!(answer.header("content-type"), content_type);
        let named = format!("octavo-sample.{format}");
        assert!(answer.header("content-disposition").contains(&named));
        match format {
            "pdf" => assert!(poppler::text(&answer.bytes).contains("A sample from Octavo")),
            "png" => drop(image::load_from_memory(&answer.bytes).unwrap()),
            _ => assert!(
                answer.text().contains("A sample from Octavo"),
                "{}",
                answer.text()
            ),
        }
    }
    let answer = convert_sample(Some(origin), Some(&token), &json!({"format": "exe"})).await;
    let fault = ("$.format", "unsupported_conversion");
    assert_refused(&answer, 422, "unsupported_conversion", &[fault]);
}

#[tokio::test]
async fn nobody_else_has_the_sample_converted() {
    let (own, good) = (stack().site_url.trim_end_matches('/'), token().await);
    let forged = good.replace('.', ".0");
    for (origin, token) in [
        (None, None),
        (None, Some(good.as_str())),
        (Some(own), None),
        (Some("https://elsewhere.example"), Some(good.as_str())),
        (Some("null"), Some(good.as_str())),
        (Some(own), Some(forged.as_str())),
        (Some(own), Some("")),
    ] {
        let answer = convert_sample(origin, token, &json!({"format": "pdf"})).await;
        assert_refused(&answer, 403, "origin_forbidden", &[]);
    }
}
