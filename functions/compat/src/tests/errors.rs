//! Rejected requests, which use no credits.

use domain::plan::Plan;
use domain::timestamp::Timestamp;
use serde_json::{Value, json};

use super::Caller;

const URL: &str = "https://files.octavo-tests.com/a.docx";

async fn assert_rejected(caller: &Caller, path: &str, body: &Value, expected: (u16, &str, &str)) {
    let response = caller.post(path, &[], body).await;
    let (status, code, at) = expected;
    let expected = (status, code.to_owned(), at.to_owned());
    assert_eq!(response.error(), expected, "{path} {body}");
    assert!(caller.jobs().await.is_empty(), "{path} {body}");
}

#[tokio::test]
async fn invalid_members_are_reported_with_their_paths() {
    let caller = Caller::on(Plan::Business).await;
    let malformed = |at| (422, "invalid_request", at);
    for (path, body, at) in [
        ("/convert", json!({"format": "pdf"}), "$.sourceKey"),
        (
            "/convert",
            json!({"format": "pdf", "url": URL, "sourceKey": "src_1"}),
            "$.url",
        ),
        ("/convert", json!({"url": URL}), "$.format"),
        ("/convert", json!({"url": 7, "format": "pdf"}), "$.url"),
        ("/ocr", json!({}), "$.sourceKey"),
        ("/ocr", json!({"url": URL, "sourceKey": "src_1"}), "$.url"),
        ("/ocr", json!({"url": URL, "format": "pdf"}), "$.format"),
        ("/ocr", json!({"url": URL, "language": 7}), "$.language"),
        ("/compress", json!({"url": URL}), "$.sourceKey"),
        (
            "/compress",
            json!({"sourceKey": "src_1", "quality": 101}),
            "$.quality",
        ),
        (
            "/pdf",
            json!({"operation": "split", "sourceKeys": []}),
            "$.sourceKeys",
        ),
        (
            "/pdf",
            json!({"operation": "split", "sourceKeys": ["src_1", "src_2"]}),
            "$.sourceKeys",
        ),
        (
            "/pdf",
            json!({"operation": "merge", "sourceKeys": ["src_1"]}),
            "$.sourceKeys",
        ),
        (
            "/pdf",
            json!({"operation": "merge", "sourceKeys": vec!["src_1"; 21]}),
            "$.sourceKeys",
        ),
        ("/pdf", json!({"sourceKeys": ["src_1"]}), "$.operation"),
        ("/merge", json!({"files": [URL]}), "$.files"),
        ("/merge", json!({"files": vec![URL; 21]}), "$.files"),
        ("/merge", json!({"files": URL}), "$.files"),
        ("/merge", json!([]), "$"),
    ] {
        assert_rejected(&caller, path, &body, malformed(at)).await;
    }
}

#[tokio::test]
async fn unsupported_work_is_rejected_at_submission() {
    let caller = Caller::on(Plan::Starter).await;
    let pdf = || caller.upload("application/pdf");
    let png = || caller.upload("image/png");
    let docx = json!({"url": URL, "format": "pdf"});
    let with = |mut body: Value, name: &str, value: Value| {
        body[name] = value;
        body
    };
    for (path, body, code, at) in [
        (
            "/convert",
            with(docx.clone(), "format", json!("exe")),
            "unsupported_conversion",
            "$.format",
        ),
        (
            "/convert",
            with(docx.clone(), "format", json!("docx")),
            "unsupported_conversion",
            "$.format",
        ),
        (
            "/convert",
            with(docx.clone(), "inputFormat", json!("exe")),
            "unsupported_conversion",
            "$.inputFormat",
        ),
        (
            "/ocr",
            json!({"url": URL}),
            "unsupported_operation",
            "$.url",
        ),
        (
            "/ocr",
            json!({"sourceKey": pdf(), "format": "docx"}),
            "unsupported_conversion",
            "$.format",
        ),
        (
            "/ocr",
            json!({"sourceKey": pdf(), "language": "klingon"}),
            "unsupported_language",
            "$.language",
        ),
        (
            "/ocr",
            json!({"url": URL, "language": "xx"}),
            "unsupported_language",
            "$.language",
        ),
        (
            "/compress",
            json!({"sourceKey": caller.upload("text/csv"), "inputFormat": "csv"}),
            "unsupported_operation",
            "$.sourceKey",
        ),
        (
            "/compress",
            json!({"sourceKey": png(), "format": "jp2"}),
            "unsupported_conversion",
            "$.format",
        ),
        (
            "/compress",
            json!({"sourceKey": png(), "level": "small"}),
            "invalid_step",
            "$.level",
        ),
        (
            "/compress",
            json!({"sourceKey": pdf(), "maxWidth": 100}),
            "invalid_step",
            "$.maxWidth",
        ),
        (
            "/compress",
            json!({"sourceKey": png(), "maxWidth": 8_001}),
            "output_too_large",
            "$.maxWidth",
        ),
        (
            "/pdf",
            json!({"operation": "shred", "sourceKeys": [pdf()]}),
            "unsupported_operation",
            "$.operation",
        ),
        (
            "/pdf",
            json!({"operation": "resize", "width": 10, "sourceKeys": [pdf()]}),
            "unsupported_operation",
            "$.operation",
        ),
        (
            "/pdf",
            json!({"operation": "rotate", "angle": 45, "sourceKeys": [pdf()]}),
            "invalid_step",
            "$.angle",
        ),
        (
            "/pdf",
            json!({"operation": "ocr", "language": "xx", "sourceKeys": [pdf()]}),
            "unsupported_language",
            "$.language",
        ),
    ] {
        assert_rejected(&caller, path, &body, (422, code, at)).await;
    }
    assert_eq!(caller.used_today().await, 0);
}

#[tokio::test]
async fn unknown_and_foreign_sources_get_the_same_error() {
    let caller = Caller::on(Plan::Business).await;
    let other = Caller::on(Plan::Business).await;
    let unknown = "src_01arz3ndektsv4rrffq69g5fav".to_owned();
    for key in [
        unknown,
        other.upload("application/pdf"),
        String::new(),
        "junk".to_owned(),
    ] {
        let expected = |at| (422, "source_unavailable", at);
        for path in ["/convert", "/ocr", "/compress"] {
            let body = json!({"sourceKey": key, "format": "png"});
            let body = if path == "/ocr" {
                json!({"sourceKey": key})
            } else {
                body
            };
            let mut body = body;
            body["inputFormat"] = json!("pdf");
            assert_rejected(&caller, path, &body, expected("$.sourceKey")).await;
        }
        let keys = json!([caller.upload("application/pdf"), key]);
        let body = json!({"operation": "merge", "sourceKeys": keys});
        assert_rejected(&caller, "/pdf", &body, expected("$.sourceKeys[1]")).await;
        let body = json!({"operation": "split", "sourceKeys": [key]});
        assert_rejected(&caller, "/pdf", &body, expected("$.sourceKeys[0]")).await;
        let pdf = caller.upload("application/pdf");
        let body = json!({"operation": "watermark", "sourceKeys": [pdf], "sourceKey": key});
        assert_rejected(&caller, "/pdf", &body, expected("$.sourceKey")).await;
    }
}

#[tokio::test]
async fn uploads_that_are_not_pdf_are_rejected_at_submission() {
    let caller = Caller::on(Plan::Business).await;
    let pdf = caller.upload("application/pdf");
    for other in ["image/jpeg", "text/plain", "image/png; x=y"] {
        let other = caller.upload(other);
        let expected = |at| (422, "unsupported_operation", at);
        for operation in [
            json!({"operation": "split"}),
            json!({"operation": "rotate", "angle": 90}),
            json!({"operation": "ocr"}),
            json!({"operation": "compress"}),
        ] {
            let mut body = operation;
            body["sourceKeys"] = json!([other]);
            assert_rejected(&caller, "/pdf", &body, expected("$.sourceKeys[0]")).await;
        }
        let body = json!({"operation": "merge", "sourceKeys": [pdf, pdf, other]});
        assert_rejected(&caller, "/pdf", &body, expected("$.sourceKeys[2]")).await;
        for (path, body) in [
            ("/compress", json!({"sourceKey": caller.upload("text/csv")})),
            ("/ocr", json!({"sourceKey": caller.upload("text/csv")})),
        ] {
            assert_rejected(&caller, path, &body, expected("$.sourceKey")).await;
        }
    }
    let gif = caller.upload("image/gif");
    let body = json!({"operation": "watermark", "sourceKeys": [pdf], "sourceKey": gif});
    let expected = (422, "unsupported_operation", "$.sourceKey");
    assert_rejected(&caller, "/pdf", &body, expected).await;
    let body = json!({"sourceKey": caller.upload("image/jpeg"), "format": "gif"});
    let expected = (422, "invalid_step", "$.format");
    assert_rejected(&caller, "/compress", &body, expected).await;
    // A generic content type is accepted; the processor detects the format.
    let octets = caller.upload("application/octet-stream");
    let body = json!({"operation": "merge", "sourceKeys": [octets, octets]});
    assert_eq!(caller.post("/pdf", &[], &body).await.status, 202);
}

#[tokio::test]
async fn urls_are_checked_without_dns_lookups() {
    let caller = Caller::on(Plan::Business).await;
    for url in [
        "",
        "a.docx",
        "http://files.octavo-tests.com/a.docx",
        "ftp://files.octavo-tests.com/a.docx",
        "https://user@files.octavo-tests.com/a.docx",
        "https://127.0.0.1/a.docx",
        "https://169.254.169.254/a.docx",
        "https://localhost/a.docx",
        "https://octavo.test/api/v1/health",
        "https://[::1]/a.docx",
    ] {
        let expected = |at| (422, "url_blocked", at);
        let body = json!({"url": url, "format": "pdf"});
        assert_rejected(&caller, "/convert", &body, expected("$.url")).await;
        let body = json!({"url": url, "inputFormat": "pdf"});
        assert_rejected(&caller, "/ocr", &body, expected("$.url")).await;
        let body = json!({"files": [URL, URL, url]});
        assert_rejected(&caller, "/merge", &body, expected("$.files[2]")).await;
    }
}

#[tokio::test]
async fn replays_work_after_the_quota_is_exceeded() {
    let caller = Caller::on(Plan::Free).await;
    let key = [
        ("idempotency-key", "before-it-was-spent"),
        ("prefer", "respond-async"),
    ];
    let body = json!({"url": URL, "format": "pdf"});
    assert_eq!(caller.post("/convert", &key, &body).await.status, 202);
    let now = runtime::clock::now();
    spend(&caller, now).await;
    let response = caller.post("/convert", &[], &body).await;
    assert_eq!(response.error().1, "quota_exceeded");
    assert_eq!(caller.post("/convert", &key, &body).await.status, 200);
}

async fn spend(caller: &Caller, now: Timestamp) {
    use domain::ports::Usage;
    let account = &caller.account.id;
    let set = caller
        .fakes
        .set_used(account, now.period(), Some(10), Some(10));
    set.await.unwrap();
}

#[tokio::test]
async fn malformed_idempotency_keys_are_rejected() {
    let caller = Caller::on(Plan::Business).await;
    for path in ["/convert", "/ocr", "/compress", "/pdf", "/merge"] {
        let response = caller.post_anonymous(path, &[], &json!({})).await;
        assert_eq!(response.error().1, "authentication_required", "{path}");
    }
    let bad = [("idempotency-key", "short")];
    let body = json!({"url": URL, "format": "pdf"});
    let response = caller.post("/convert", &bad, &body).await;
    assert_eq!(response.error().1, "idempotency_key_invalid");
}
