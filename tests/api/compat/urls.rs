//! The forms that wait for the document at an address. Each test serves the one host that may be fetched from.

use std::time::Duration;

use serde_json::{Value, json};
use tests::client::{Answer, Client, download, unique};
use tests::corpus;
use tests::documents;
use tests::trusted_host::{Served, TrustedHost};

use super::{ended, post};
use crate::account::Account;
use crate::poppler;
use crate::refusal::assert_refused;

fn pdf(pages: usize) -> Served {
    Served::ok("application/pdf", documents::pdf(pages, 200, 100))
}

fn to_text(path: &str) -> Value {
    json!({"url": TrustedHost::url(path), "filename": "page.pdf", "format": "txt"})
}

async fn convert(account: &Account, key: &str, body: &Value) -> Answer {
    post(account, "/convert", Some(key), body).await
}

#[tokio::test]
async fn the_converted_file_is_the_answer_and_that_of_a_replay() {
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
async fn a_picture_goes_as_its_very_bytes() {
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
async fn an_office_document_becomes_a_pdf_while_the_client_waits() {
    let account = Account::new("starter");
    let docx = documents::docx(&documents::paragraph("A line"), "", &[]);
    let _host = TrustedHost::serve(move |_| Served::ok("", docx.clone())).await;
    let body = json!({"url": TrustedHost::url("/a.docx"), "filename": "a.docx", "format": "pdf"});
    let answer = post(&account, "/convert", None, &body).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.header("content-type"), "application/pdf");
    assert!(answer.bytes.starts_with(b"%PDF-1."));
    assert!(answer.header("content-disposition").contains("a.pdf"));
}

#[tokio::test]
async fn who_prefers_a_job_gets_one() {
    let account = Account::new("starter");
    let _host = TrustedHost::serve(|_| pdf(1)).await;
    let headers = [("prefer", "respond-async")];
    let body = to_text("/page.pdf");
    let answer = account.client.post("/convert", &headers, &body).await;
    assert_eq!(answer.header("preference-applied"), "respond-async");
    assert_eq!(ended(&account, &answer).await["status"], "completed");
}

/// On threads of its own: the host blocks one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_retries_finds_its_own_job() {
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
    let answers = futures::future::join_all(again).await;
    for answer in &answers {
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert_eq!(answer.header("idempotency-replayed"), "true");
        assert_eq!(answer.bytes, answers[0].bytes);
    }
    assert_eq!(account.jobs().await.len(), 1);
    assert_eq!(account.remaining().await.1, 2_000 - 2);
}

#[tokio::test]
async fn what_fails_is_told_with_the_jobs_code_and_given_back() {
    let account = Account::new("free");
    let host = TrustedHost::serve(|path| match path {
        "/private" => Served::redirect("https://169.254.169.254/latest/meta-data/"),
        "/large" => pdf(1).with("Content-Length", "25000001"),
        "/picture" => Served::ok("application/pdf", b"\x89PNG\r\n\x1a\n and so on".to_vec()),
        "/empty" => Served::ok("application/pdf", ""),
        _ => Served::status(404),
    })
    .await;
    for (path, code) in [
        ("/private", "fetch_blocked"),
        ("/large", "input_too_large"),
        ("/missing", "fetch_failed"),
        ("/picture", "content_mismatch"),
        ("/empty", "input_empty"),
    ] {
        let answer = post(&account, "/convert", None, &to_text(path)).await;
        assert_refused(&answer, 422, code, &[]);
        assert_eq!(account.remaining().await, (10, 100), "{path}");
    }
    drop(host);
    let answer = post(&account, "/convert", None, &to_text("/gone")).await;
    assert_refused(&answer, 422, "fetch_failed", &[]);
}

#[tokio::test]
async fn a_large_result_is_where_the_answer_leads_to() {
    let account = Account::new("business");
    let picture = documents::noisy_bitmap(1_300, 1_300);
    let size = picture.len();
    let _host = TrustedHost::serve(move |_| Served::ok("image/bmp", picture.clone())).await;
    let body = json!({"url": TrustedHost::url("/a.bmp"), "format": "png"});
    let answer = post(&account, "/convert", None, &body).await;
    assert_eq!(
        (answer.status, answer.bytes.len()),
        (303, 0),
        "{}",
        answer.text()
    );
    let file = download(answer.header("location")).await;
    assert!(file.bytes.len() > 4_000_000 && file.bytes.len() < size + 100_000);
    assert_eq!(file.header("content-type"), "image/png");
    image::load_from_memory(&file.bytes).unwrap();
}

#[tokio::test]
async fn pdfs_at_addresses_are_merged_in_their_order() {
    let account = Account::new("starter");
    let host = TrustedHost::serve(|path| pdf(path.trim_matches('/').parse().unwrap_or(1))).await;
    let files = ["/3", "/1", "/2"].map(TrustedHost::url);
    let answer = post(&account, "/merge", None, &json!({"files": files})).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.header("content-type"), "application/pdf");
    assert!(answer.header("content-disposition").contains("merged.pdf"));
    assert!(answer.bytes.starts_with(b"%PDF-1."));
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
    let answer = post(&account, "/merge", None, &bad).await;
    let fault = ("$.files[1]", "url_blocked");
    assert_refused(&answer, 422, "url_blocked", &[fault]);
}

#[tokio::test]
async fn the_text_of_a_document_is_told_with_its_pages_and_language() {
    let account = Account::new("starter");
    let _host = TrustedHost::serve(|_| pdf(2)).await;
    let url = TrustedHost::url("/scan.pdf");
    let body = json!({"url": url, "filename": "scan.pdf", "language": "en"});
    let answer = post(&account, "/ocr", None, &body).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let recognised = answer.json();
    assert_eq!(
        (&recognised["pages"], &recognised["language"]),
        (&json!(2), &json!("en"))
    );
    assert!(recognised["text"].is_string());
    assert_eq!(account.remaining().await.1, 2_000 - 3);
}

/// A scan without a text layer, and a picture: both from the corpus, with what they are known to say.
#[tokio::test]
async fn what_has_no_text_layer_is_read_all_the_same() {
    let account = Account::new("starter");
    let _host = TrustedHost::serve(|path| {
        let bytes = std::fs::read(corpus::directory().join(&path[1..])).unwrap();
        Served::ok("application/octet-stream", bytes)
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
        let answer = post(&account, "/ocr", None, &body).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let mut recognised = answer.json();
        let text = recognised["text"].take();
        for word in words {
            assert!(text.as_str().unwrap().contains(word), "{file}: {text}");
        }
        let expected = json!({"text": null, "pages": 1, "language": language});
        assert_eq!(recognised, expected, "{file}");
    }
    assert_eq!(account.remaining().await.1, 2_000 - 2 * 3);
}

#[tokio::test]
async fn twenty_pdfs_are_merged_in_the_order_given() {
    let account = Account::new("starter");
    let _host = TrustedHost::serve(|path| {
        let width = path.trim_matches('/').parse().unwrap();
        Served::ok("application/pdf", documents::pdf(1, width, 100))
    })
    .await;
    let widths: Vec<u32> = (0..20).map(|number| 100 + number * 7 % 20).collect();
    let files = widths
        .iter()
        .map(|width| TrustedHost::url(&format!("/{width}")));
    let body = json!({"files": files.collect::<Vec<_>>()});
    let answer = post(&account, "/merge", None, &body).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(poppler::page_widths(&answer.bytes), widths);
    let body = json!({"files": [TrustedHost::url("/120"), TrustedHost::url("/110")]});
    let answer = post(&account, "/merge", None, &body).await;
    assert_eq!(poppler::page_widths(&answer.bytes), [120, 110]);
    assert_eq!(account.remaining().await.1, 2_000 - 2);
}

#[tokio::test]
async fn a_web_page_becomes_a_pdf_without_a_key_and_one_that_is_not_there_does_not() {
    let host = TrustedHost::serve(|path| match path {
        "/page" => Served::ok(
            "text/html; charset=utf-8",
            "<title>t</title><p>Holunderblüten<script>document.body.append('sirup')</script>",
        ),
        "/moved" => Served::redirect("/page"),
        "/inside" => Served::redirect("https://169.254.169.254/latest/meta-data/"),
        "/broken" => Served::status(503),
        _ => Served::status(404),
    })
    .await;
    let render = async |path: &str, filename: Option<&str>| {
        let mut body = json!({"url": TrustedHost::url(path)});
        if let Some(filename) = filename {
            body["filename"] = json!(filename);
        }
        // Other tests spend of the same budget.
        let nobody = Client::with_key(None).patient();
        nobody.post("/webpage-to-pdf", &[], &body).await
    };
    for (path, filename, named) in [
        ("/page", Some("drink.pdf"), "drink.pdf"),
        ("/moved", None, ".pdf"),
    ] {
        let answer = render(path, filename).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert_eq!(answer.header("content-type"), "application/pdf");
        let disposition = answer.header("content-disposition");
        assert!(disposition.starts_with("attachment; ") && disposition.contains(named));
        assert_eq!(poppler::pages(&answer.bytes), 1);
        let text = poppler::text(&answer.bytes);
        assert!(
            text.contains("Holunderblüten") && text.contains("sirup"),
            "{text}"
        );
    }
    for path in ["/missing", "/broken"] {
        assert_refused(&render(path, None).await, 502, "render_failed", &[]);
    }
    let inside = render("/inside", None).await;
    assert_refused(&inside, 400, "url_blocked", &[("$.url", "url_blocked")]);
    drop(host);
    assert_refused(&render("/page", None).await, 502, "render_failed", &[]);
}
