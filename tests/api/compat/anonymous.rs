//! Anonymous routes: web pages, and the sandbox of the public page.

use serde_json::{Value, json};
use tests::client::{Client, Response};
use tests::stack::stack;

use crate::poppler;
use crate::problem::assert_error;

fn anonymous() -> Client {
    Client::with_key(None)
}

async fn render(body: &Value) -> Response {
    anonymous().post("/webpage-to-pdf", &[], body).await
}

#[tokio::test]
async fn blocked_urls_are_rejected() {
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
        // More requests than the rate limit allows, because rejected ones do not count.
        for _ in 0..6 {
            let response = render(&json!({"url": url})).await;
            assert_error(&response, 400, code, &[("$.url", code)]);
        }
    }
    let response = render(&json!({})).await;
    assert_error(
        &response,
        400,
        "invalid_request",
        &[("$.url", "missing_field")],
    );
    let response = render(&json!([])).await;
    assert_error(&response, 400, "invalid_request", &[("$", "invalid_value")]);
}

/// Returns the sandbox token in the public page.
pub(super) async fn sandbox_token() -> String {
    let page = anonymous().get(&stack().site_url).await.text();
    let (_, rest) = page
        .split_once("<meta name=\"sandbox-token\" content=\"")
        .unwrap();
    rest.split('"').next().unwrap().to_owned()
}

pub(super) async fn convert_sample(
    origin: Option<&str>,
    token: Option<&str>,
    body: &Value,
) -> Response {
    let mut headers = Vec::new();
    headers.extend(origin.map(|origin| ("origin", origin)));
    headers.extend(token.map(|token| ("x-sandbox-token", token)));
    anonymous().post("/sandbox/convert", &headers, body).await
}

#[tokio::test]
async fn the_sample_is_converted_for_the_public_page() {
    let (origin, token) = (
        stack().site_url.trim_end_matches('/'),
        sandbox_token().await,
    );
    for (format, content_type) in [
        ("pdf", "application/pdf"),
        ("png", "image/png"),
        ("txt", "text/plain"),
    ] {
        let body = json!({"format": format});
        let response = convert_sample(Some(origin), Some(&token), &body).await;
        assert_eq!(response.status, 200, "{format}: {}", response.text());
        assert_eq!(response.header("content-type"), content_type);
        let named = format!("octavo-sample.{format}");
        assert!(response.header("content-disposition").contains(&named));
        match format {
            "pdf" => assert!(poppler::text(&response.bytes).contains("A sample from Octavo")),
            "png" => drop(image::load_from_memory(&response.bytes).unwrap()),
            _ => assert!(
                response.text().contains("A sample from Octavo"),
                "{}",
                response.text()
            ),
        }
    }
    let response = convert_sample(Some(origin), Some(&token), &json!({"format": "exe"})).await;
    let expected_error = ("$.format", "unsupported_conversion");
    assert_error(&response, 422, "unsupported_conversion", &[expected_error]);
}

#[tokio::test]
async fn other_origins_cannot_convert_the_sample() {
    let (own, good) = (
        stack().site_url.trim_end_matches('/'),
        sandbox_token().await,
    );
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
        let response = convert_sample(origin, token, &json!({"format": "pdf"})).await;
        assert_error(&response, 403, "origin_forbidden", &[]);
    }
}
