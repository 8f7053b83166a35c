//! Sources at public URLs, fetched by the processor with SSRF protection.

use serde_json::{Value, json};
use tests::client::unique;
use tests::documents;
use tests::stack::stack;
use tests::trusted_host::{StubResponse, TrustedHost};

use crate::account::Account;
use crate::poppler;
use crate::problem::{assert_error, without_request_id};

fn to_text(url: &str) -> Value {
    json!({"filename": "page.pdf", "format": "txt", "url": url})
}

fn pdf() -> StubResponse {
    StubResponse::ok("application/pdf", documents::pdf(1, 200, 100))
}

#[tokio::test]
async fn a_document_at_a_url_is_processed_like_an_upload() {
    let account = Account::new("starter");
    let host = TrustedHost::serve(|path| match path {
        "/moved?secret=1" => StubResponse::redirect("/page.pdf"),
        _ => pdf(),
    })
    .await;
    let uploaded = account.run_job(&account.conversion_body().await).await;
    let fetched = account
        .run_job(&to_text(&TrustedHost::url("/moved?secret=1")))
        .await;
    assert_eq!(fetched["status"], "completed", "{fetched}");
    assert_eq!(fetched["output"], uploaded["output"]);
    assert_eq!(fetched["creditsCharged"], 2);
    assert_eq!(host.requests(), ["/moved?secret=1", "/page.pdf"]);
    assert!(!fetched.to_string().contains("secret"), "{fetched}");
}

#[tokio::test]
async fn a_web_page_is_rendered_with_its_resources() {
    let account = Account::new("starter");
    let _host = TrustedHost::serve(|path| match path {
        "/report.html" => StubResponse::ok(
            "text/html",
            "<link rel=stylesheet href=/a.css><h1>Report</h1><script src=/a.js></script>",
        ),
        "/a.css" => StubResponse::ok("text/css", "body { background: #00ff00; margin: 0 }"),
        "/a.js" => StubResponse::ok("text/javascript", "document.body.append('by a script')"),
        _ => StubResponse::status(404),
    })
    .await;
    let mut body = json!({
        "filename": "report.html", "format": "pdf", "url": TrustedHost::url("/report.html"),
        "operations": [{"operation": "convert", "format": "pdf", "paper": "a5", "footer": "{url}"}],
    });
    let job = account.run_job(&body).await;
    assert_eq!(job["status"], "completed", "{job}");
    assert_eq!(
        (&job["warnings"], &job["creditsCharged"]),
        (&json!([]), &json!(2))
    );
    let pdf = account.client.result(&job).await;
    assert_eq!(poppler::page_widths(&pdf), [420]);
    let text = poppler::text(&pdf);
    for words in ["Report", "by a script", &TrustedHost::url("/report.html")] {
        assert!(text.contains(words), "{words} in {text}");
    }
    body["format"] = json!("png");
    body["operations"] = json!([{"operation": "convert", "format": "png", "viewportWidth": 400}]);
    let job = account.run_job(&body).await;
    let picture = account.client.result(&job).await;
    let picture = image::load_from_memory(&picture).unwrap().to_rgb8();
    assert_eq!(picture.width(), 400);
    let green = picture
        .pixels()
        .filter(|pixel| pixel.0 == [0, 255, 0])
        .count();
    assert!(green > picture.len() / 6, "{green}");
    body["url"] = json!(TrustedHost::url("/missing.html"));
    let job = account.run_job(&body).await;
    assert_eq!(job["error"]["code"], "fetch_failed", "{job}");
}

#[tokio::test]
async fn failed_fetches_fail_the_job_and_are_refunded() {
    let account = Account::new("free");
    let host = TrustedHost::serve(|path| match path {
        "/private" => StubResponse::redirect("https://169.254.169.254/latest/meta-data/"),
        "/plain" => {
            StubResponse::redirect(&TrustedHost::url("/page.pdf").replace("https:", "http:"))
        }
        "/loop" => StubResponse::redirect("/loop"),
        "/large" => pdf().with_header("Content-Length", "25000001"),
        "/short" => pdf().with_header("Content-Length", "100000"),
        "/picture" => StubResponse::ok("application/pdf", b"\x89PNG\r\n\x1a\n and so on".to_vec()),
        "/empty" => StubResponse::ok("application/pdf", ""),
        _ => StubResponse::status(404),
    })
    .await;
    for (path, code) in [
        ("/private", "fetch_blocked"),
        ("/plain", "fetch_blocked"),
        ("/loop", "fetch_failed"),
        ("/large", "input_too_large"),
        ("/short", "fetch_failed"),
        ("/missing", "fetch_failed"),
        ("/picture", "content_mismatch"),
        ("/empty", "input_empty"),
    ] {
        let job = account.run_job(&to_text(&TrustedHost::url(path))).await;
        assert_eq!(job["status"], "failed", "{path}: {job}");
        assert_eq!(job["error"]["code"], code, "{path}: {job}");
        assert_eq!(job["attempts"], 1, "{path}");
        assert_eq!(account.remaining().await, (10, 100), "{path}");
    }
    // A host without a server, and one whose name does not resolve.
    drop(host);
    for url in [
        &TrustedHost::url("/gone"),
        "https://no-such-host.example.com/a.pdf",
    ] {
        let job = account.run_job(&to_text(url)).await;
        assert_eq!(job["error"]["code"], "fetch_failed", "{job}");
    }
}

#[tokio::test]
async fn blocked_urls_are_rejected_before_fetching() {
    let account = Account::new("pro");
    let host = TrustedHost::serve(|_| pdf()).await;
    let (name, port) = (&stack().trusted_host.name, TrustedHost::port());
    let own = stack().base_url.replace("http://", "https://");
    let urls = [
        String::new(),
        "page.pdf".to_owned(),
        "//fixtures.octavo.test/a".to_owned(),
        format!("http://{name}:{port}/page.pdf"),
        "ftp://example.com/a.pdf".to_owned(),
        "file:///etc/passwd".to_owned(),
        "data:text/plain,a".to_owned(),
        format!("https://@{name}:{port}/page.pdf"),
        format!("https:{name}:{port}/page.pdf"),
        format!("https://{name}:{port}\\@127.0.0.1/page.pdf"),
        format!("https://{name}:{port}/a page.pdf"),
        format!("https://user@{name}:{port}/page.pdf"),
        format!("https://user:word@{name}:{port}/page.pdf"),
        format!("https://{name}/page.pdf"),
        format!("https://{name}:9442/page.pdf"),
        format!("https://sub.{name}:{port}/page.pdf"),
        "https://localhost/a".to_owned(),
        format!("https://localhost:{port}/a"),
        "https://intranet/a".to_owned(),
        "https://db.internal/a".to_owned(),
        "https://printer.local/a".to_owned(),
        "https://127.0.0.1/a".to_owned(),
        "https://127.1/a".to_owned(),
        "https://0x7f000001/a".to_owned(),
        "https://0177.0.0.1/a".to_owned(),
        "https://2130706433/a".to_owned(),
        "https://10.0.0.1/a".to_owned(),
        "https://192.168.1.1/a".to_owned(),
        "https://169.254.169.254/latest/meta-data/".to_owned(),
        "https://[::1]/a".to_owned(),
        "https://[::ffff:127.0.0.1]/a".to_owned(),
        "https://[64:ff9b::7f00:1]/a".to_owned(),
        "https://[fd00:ec2::254]/a".to_owned(),
        "https://example.com:22/a".to_owned(),
        format!("https://example.com/{}", "a".repeat(2_048)),
        format!("{own}/health"),
    ];
    let (before, key) = (account.usage().await, unique("urls"));
    let mut bodies = Vec::new();
    for url in urls {
        let response = account.client.create_job(&to_text(&url), Some(&key)).await;
        assert_eq!(response.status, 422, "{url}: {}", response.text());
        assert_error(&response, 422, "url_blocked", &[("$.url", "url_blocked")]);
        bodies.push(without_request_id(&response));
    }
    bodies.dedup();
    assert_eq!(bodies.len(), 1, "{bodies:?}");
    assert_eq!(account.usage().await, before);
    assert_eq!(account.jobs().await, Vec::<String>::new());
    assert_eq!(host.requests(), Vec::<String>::new());
}

#[tokio::test]
async fn the_input_format_is_required_before_fetching() {
    let account = Account::new("pro");
    let host = TrustedHost::serve(|_| pdf()).await;
    let mut body = to_text(&TrustedHost::url("/page"));
    body["filename"] = json!("page");
    let response = account.client.create_job(&body, None).await;
    let expected_error = ("$.inputFormat", "unsupported_conversion");
    assert_error(&response, 422, "unsupported_conversion", &[expected_error]);
    body["inputFormat"] = json!("pdf");
    let job = account.run_job(&body).await;
    assert_eq!(job["status"], "completed", "{job}");
    assert_eq!(host.requests(), ["/page"]);
}

#[tokio::test]
async fn a_replay_does_not_fetch_the_url_again() {
    let account = Account::new("starter");
    let host = TrustedHost::serve(|_| pdf()).await;
    let (body, key) = (to_text(&TrustedHost::url("/page.pdf")), unique("urls"));
    let first = account.client.create_job(&body, Some(&key)).await;
    let first = account
        .client
        .wait(first.json()["jobId"].as_str().unwrap())
        .await;
    drop(host);
    let again = account.client.create_job(&body, Some(&key)).await;
    assert_eq!(again.status, 200, "{}", again.text());
    assert_eq!(again.json()["jobId"], first["jobId"]);
    let other = to_text(&TrustedHost::url("/other.pdf"));
    let refused = account.client.create_job(&other, Some(&key)).await;
    assert_error(&refused, 422, "idempotency_key_reused", &[]);
}
