//! Compatibility routes with URLs, which convert synchronously. Each test serves the trusted host.

use std::time::Duration;

use serde_json::{Value, json};
use tests::client::{Client, Response, download, unique};
use tests::corpus;
use tests::documents;
use tests::trusted_host::{StubResponse, TrustedHost};

use super::{finished_job, post};
use crate::account::Account;
use crate::poppler;
use crate::problem::assert_error;

fn pdf(pages: usize) -> StubResponse {
    StubResponse::ok("application/pdf", documents::pdf(pages, 200, 100))
}

fn to_text(path: &str) -> Value {
    json!({"url": TrustedHost::url(path), "filename": "page.pdf", "format": "txt"})
}

async fn convert(account: &Account, key: &str, body: &Value) -> Response {
    post(account, "/convert", Some(key), body).await
}

#[tokio::test]
async fn the_response_and_its_replay_are_the_converted_file() {
    let account = Account::new("starter");
    let host = TrustedHost::serve(|_| pdf(1)).await;
    let (body, key) = (to_text("/page.pdf"), unique("compat"));
    let first = convert(&account, &key, &body).await;
    assert_eq!(first.status, 200, "{}", first.text());
    assert_eq!(first.header("content-type"), "text/plain");
    let disposition = "attachment; filename=\"page.txt\"; filename*=UTF-8''page.txt";
    assert_eq!(first.header("content-disposition"), disposition);
    assert_eq!(first.header("idempotency-replayed"), "");
    assert_eq!(account.remaining().await.1, 2_000 - 2);
    let jobs = account.jobs().await;
    let job = account
        .client
        .get(&format!("/jobs/{}", jobs[0]))
        .await
        .json();
    assert_eq!(account.client.result(&job).await, first.bytes);
    drop(host);
    let again = convert(&account, &key, &body).await;
    assert_eq!((again.status, &again.bytes), (200, &first.bytes));
    assert_eq!(again.header("content-type"), "text/plain");
    assert_eq!(again.header("idempotency-replayed"), "true");
    assert_eq!(account.remaining().await.1, 2_000 - 2);
    assert_eq!(account.jobs().await, jobs);
}

#[tokio::test]
async fn one_image_is_returned_directly_and_several_as_a_zip() {
    let account = Account::new("starter");
    let _host = TrustedHost::serve(|path| pdf(if path == "/one.pdf" { 1 } else { 2 })).await;
    let body = |path: &str| json!({"url": TrustedHost::url(path), "format": "png"});
    let one = post(&account, "/convert", None, &body("/one.pdf")).await;
    assert_eq!(one.header("content-type"), "image/png", "{}", one.text());
    image::load_from_memory(&one.bytes).unwrap();
    let two = post(&account, "/convert", None, &body("/two.pdf")).await;
    assert_eq!(two.header("content-type"), "application/zip");
    assert!(two.header("content-disposition").contains("two.zip"));
    assert!(two.bytes.starts_with(b"PK"));
}

#[tokio::test]
async fn an_office_document_is_converted_synchronously() {
    let account = Account::new("starter");
    let docx = documents::docx(&documents::paragraph("A line"), "", &[]);
    let _host = TrustedHost::serve(move |_| StubResponse::ok("", docx.clone())).await;
    let body = json!({"url": TrustedHost::url("/a.docx"), "filename": "a.docx", "format": "pdf"});
    let response = post(&account, "/convert", None, &body).await;
    assert_eq!(response.status, 200, "{}", response.text());
    assert_eq!(response.header("content-type"), "application/pdf");
    assert!(response.bytes.starts_with(b"%PDF-1."));
    assert!(response.header("content-disposition").contains("a.pdf"));
}

#[tokio::test]
async fn prefer_respond_async_returns_a_job() {
    let account = Account::new("starter");
    let _host = TrustedHost::serve(|_| pdf(1)).await;
    let headers = [("prefer", "respond-async")];
    let body = to_text("/page.pdf");
    let response = account.client.post("/convert", &headers, &body).await;
    assert_eq!(response.header("preference-applied"), "respond-async");
    assert_eq!(
        finished_job(&account, &response).await["status"],
        "completed"
    );
}

/// Multi-threaded, because the stub server blocks a thread.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_retries_share_one_job() {
    let account = Account::new("starter");
    let _host = TrustedHost::serve(|_| {
        std::thread::sleep(Duration::from_secs(2));
        pdf(1)
    })
    .await;
    let (body, key) = (to_text("/page.pdf"), unique("compat"));
    let gone = tokio::time::timeout(Duration::from_secs(1), convert(&account, &key, &body));
    assert!(gone.await.is_err());
    let again = (0..8).map(|_| convert(&account, &key, &body));
    let responses = futures::future::join_all(again).await;
    for response in &responses {
        assert_eq!(response.status, 200, "{}", response.text());
        assert_eq!(response.header("idempotency-replayed"), "true");
        assert_eq!(response.bytes, responses[0].bytes);
    }
    assert_eq!(account.jobs().await.len(), 1);
    assert_eq!(account.remaining().await.1, 2_000 - 2);
}

#[tokio::test]
async fn failures_have_the_error_code_of_the_job_and_are_refunded() {
    let account = Account::new("free");
    let host = TrustedHost::serve(|path| match path {
        "/private" => StubResponse::redirect("https://169.254.169.254/latest/meta-data/"),
        "/large" => pdf(1).with_header("Content-Length", "25000001"),
        "/picture" => StubResponse::ok("application/pdf", b"\x89PNG\r\n\x1a\n and so on".to_vec()),
        "/empty" => StubResponse::ok("application/pdf", ""),
        _ => StubResponse::status(404),
    })
    .await;
    for (path, code) in [
        ("/private", "fetch_blocked"),
        ("/large", "input_too_large"),
        ("/missing", "fetch_failed"),
        ("/picture", "content_mismatch"),
        ("/empty", "input_empty"),
    ] {
        let response = post(&account, "/convert", None, &to_text(path)).await;
        assert_error(&response, 422, code, &[]);
        assert_eq!(account.remaining().await, (10, 100), "{path}");
    }
    drop(host);
    let response = post(&account, "/convert", None, &to_text("/gone")).await;
    assert_error(&response, 422, "fetch_failed", &[]);
}

#[tokio::test]
async fn a_large_result_is_a_redirect_to_the_download() {
    let account = Account::new("business");
    let picture = documents::noisy_bitmap(1_300, 1_300);
    let size = picture.len();
    let _host = TrustedHost::serve(move |_| StubResponse::ok("image/bmp", picture.clone())).await;
    let body = json!({"url": TrustedHost::url("/a.bmp"), "format": "png"});
    let response = post(&account, "/convert", None, &body).await;
    assert_eq!(
        (response.status, response.bytes.len()),
        (303, 0),
        "{}",
        response.text()
    );
    let file = download(response.header("location")).await;
    assert!(file.bytes.len() > 4_000_000 && file.bytes.len() < size + 100_000);
    assert_eq!(file.header("content-type"), "image/png");
    image::load_from_memory(&file.bytes).unwrap();
}

#[tokio::test]
async fn pdfs_at_urls_are_merged_in_order() {
    let account = Account::new("starter");
    let host = TrustedHost::serve(|path| pdf(path.trim_matches('/').parse().unwrap_or(1))).await;
    let files = ["/3", "/1", "/2"].map(TrustedHost::url);
    let response = post(&account, "/merge", None, &json!({"files": files})).await;
    assert_eq!(response.status, 200, "{}", response.text());
    assert_eq!(response.header("content-type"), "application/pdf");
    assert!(
        response
            .header("content-disposition")
            .contains("merged.pdf")
    );
    assert!(response.bytes.starts_with(b"%PDF-1."));
    let mut requests = host.requests();
    requests.sort_unstable();
    assert_eq!(requests, ["/1", "/2", "/3"]);
    let job = account.jobs().await.swap_remove(0);
    let job = account.client.get(&format!("/jobs/{job}")).await.json();
    assert_eq!(
        (&job["output"]["pages"], &job["creditsCharged"]),
        (&json!(6), &json!(1))
    );
    let bad = json!({"files": [TrustedHost::url("/1"), "https://10.0.0.1/a.pdf"]});
    let response = post(&account, "/merge", None, &bad).await;
    let expected_error = ("$.files[1]", "url_blocked");
    assert_error(&response, 422, "url_blocked", &[expected_error]);
}

#[tokio::test]
async fn ocr_returns_text_page_count_and_language() {
    let account = Account::new("starter");
    let _host = TrustedHost::serve(|_| pdf(2)).await;
    let url = TrustedHost::url("/scan.pdf");
    let body = json!({"url": url, "filename": "scan.pdf", "language": "en"});
    let response = post(&account, "/ocr", None, &body).await;
    assert_eq!(response.status, 200, "{}", response.text());
    let recognized = response.json();
    assert_eq!(
        (&recognized["pages"], &recognized["language"]),
        (&json!(2), &json!("en"))
    );
    assert!(recognized["text"].is_string());
    assert_eq!(account.remaining().await.1, 2_000 - 3);
}

/// A scan without a text layer and an image from the corpus, whose text is known.
#[tokio::test]
async fn ocr_reads_scans_and_images() {
    let account = Account::new("starter");
    let _host = TrustedHost::serve(|path| {
        let bytes = std::fs::read(corpus::directory().join(&path[1..])).unwrap();
        StubResponse::ok("application/octet-stream", bytes)
    })
    .await;
    for (file, language, words) in [
        (
            "ocr-truth/eng-letter-300.png",
            "en",
            ["weighbridge", "Whitlock"],
        ),
        (
            "ocr-truth/deu-liste-200.pdf",
            "deu",
            ["Kartoffelsalat", "Zwischensumme"],
        ),
    ] {
        let body = json!({"url": TrustedHost::url(&format!("/{file}")), "language": language});
        let response = post(&account, "/ocr", None, &body).await;
        assert_eq!(response.status, 200, "{}", response.text());
        let mut recognized = response.json();
        let text = recognized["text"].take();
        for word in words {
            assert!(text.as_str().unwrap().contains(word), "{file}: {text}");
        }
        let expected = json!({"text": null, "pages": 1, "language": language});
        assert_eq!(recognized, expected, "{file}");
    }
    assert_eq!(account.remaining().await.1, 2_000 - 2 * 3);
}

#[tokio::test]
async fn twenty_pdfs_are_merged_in_order() {
    let account = Account::new("starter");
    let _host = TrustedHost::serve(|path| {
        let width = path.trim_matches('/').parse().unwrap();
        StubResponse::ok("application/pdf", documents::pdf(1, width, 100))
    })
    .await;
    let widths: Vec<u32> = (0..20).map(|number| 100 + number * 7 % 20).collect();
    let files = widths
        .iter()
        .map(|width| TrustedHost::url(&format!("/{width}")));
    let body = json!({"files": files.collect::<Vec<_>>()});
    let response = post(&account, "/merge", None, &body).await;
    assert_eq!(response.status, 200, "{}", response.text());
    assert_eq!(poppler::page_widths(&response.bytes), widths);
    let body = json!({"files": [TrustedHost::url("/120"), TrustedHost::url("/110")]});
    let response = post(&account, "/merge", None, &body).await;
    assert_eq!(poppler::page_widths(&response.bytes), [120, 110]);
    assert_eq!(account.remaining().await.1, 2_000 - 2);
}

#[tokio::test]
async fn an_anonymous_client_renders_a_web_page_as_pdf() {
    let host = TrustedHost::serve(|path| match path {
        "/page" => StubResponse::ok(
            "text/html; charset=utf-8",
            "<title>t</title><p>Holunderblüten<script>document.body.append('sirup')</script>",
        ),
        "/moved" => StubResponse::redirect("/page"),
        "/inside" => StubResponse::redirect("https://169.254.169.254/latest/meta-data/"),
        "/broken" => StubResponse::status(503),
        _ => StubResponse::status(404),
    })
    .await;
    let render = async |path: &str, filename: Option<&str>| {
        let mut body = json!({"url": TrustedHost::url(path)});
        if let Some(filename) = filename {
            body["filename"] = json!(filename);
        }
        // Other tests count against the same rate limit.
        let anonymous = Client::with_key(None).with_retries();
        anonymous.post("/webpage-to-pdf", &[], &body).await
    };
    for (path, filename, named) in [
        ("/page", Some("drink.pdf"), "drink.pdf"),
        ("/moved", None, ".pdf"),
    ] {
        let response = render(path, filename).await;
        assert_eq!(response.status, 200, "{}", response.text());
        assert_eq!(response.header("content-type"), "application/pdf");
        let disposition = response.header("content-disposition");
        assert!(disposition.starts_with("attachment; ") && disposition.contains(named));
        assert_eq!(poppler::page_count(&response.bytes), 1);
        let text = poppler::text(&response.bytes);
        assert!(
            text.contains("Holunderblüten") && text.contains("sirup"),
            "{text}"
        );
    }
    for path in ["/missing", "/broken"] {
        assert_error(&render(path, None).await, 502, "render_failed", &[]);
    }
    let inside = render("/inside", None).await;
    assert_error(&inside, 400, "url_blocked", &[("$.url", "url_blocked")]);
    drop(host);
    assert_error(&render("/page", None).await, 502, "render_failed", &[]);
}
