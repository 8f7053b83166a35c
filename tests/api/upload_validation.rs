//! Validation of every field of `POST /files/upload`.

use serde_json::json;
use tests::client::unique;

use crate::account::Account;
use crate::invalid_bodies::{Field, InvalidBody, JsonType, invalid_bodies};
use crate::problem::assert_error;

const FIELDS: [Field; 3] = [
    Field {
        name: "filename",
        json_type: JsonType::Text,
        required: true,
    },
    Field {
        name: "contentType",
        json_type: JsonType::Text,
        required: true,
    },
    Field {
        name: "sizeBytes",
        json_type: JsonType::Number,
        required: true,
    },
];

#[tokio::test]
async fn invalid_fields_are_rejected_and_do_not_consume_the_key() {
    let account = Account::new("business");
    let base = json!({"filename": "a.pdf", "contentType": "application/pdf", "sizeBytes": 10});
    let mut all = invalid_bodies(&base, &FIELDS);
    let more = [
        ("filename", json!("")),
        ("filename", json!("..")),
        ("filename", json!("\u{0}")),
        ("filename", json!("a".repeat(256))),
        ("contentType", json!("")),
        ("contentType", json!("pdf")),
        (
            "contentType",
            json!("application/pdf\r\nx-amz-acl: public-read"),
        ),
        ("contentType", json!("application/pdf\u{0}")),
        ("contentType", json!("text/ünicode")),
        ("contentType", json!(format!("text/{}", "x".repeat(116)))),
        ("sizeBytes", json!(-1)),
        ("sizeBytes", json!(1.5)),
        ("sizeBytes", json!(1e30)),
        ("sizeBytes", json!("10")),
    ];
    all.extend(
        more.map(|(name, value)| InvalidBody::with_field(&base, name, value, "invalid_value")),
    );
    let key = unique("upload");
    let headers = [("idempotency-key", key.as_str())];
    for invalid in all {
        let response = account
            .client
            .post("/files/upload", &headers, &invalid.body)
            .await;
        invalid.assert_rejected(&response, 400, "invalid_request");
    }
    let response = account.client.post("/files/upload", &headers, &base).await;
    assert_eq!(
        (response.status, response.header("idempotency-replayed")),
        (201, "")
    );
}

#[tokio::test]
async fn unsupported_content_types_are_rejected() {
    let account = Account::new("business");
    let upload = async |filename: &str, content_type: &str| {
        let body = json!({"filename": filename, "contentType": content_type, "sizeBytes": 10});
        account.client.post("/files/upload", &[], &body).await
    };
    for (filename, content_type) in [
        ("a.pdf", "application/x-msdownload"),
        ("a.json", "application/json"),
        ("a.hocr", "application/octet-stream"),
        ("a.psd", "image/vnd.adobe.photoshop"),
        ("a.exe", "application/octet-stream"),
        ("a", "application/octet-stream"),
        ("a.pdf", "application/pdfx"),
        ("a.pdf", "/"),
    ] {
        let response = upload(filename, content_type).await;
        assert_error(&response, 415, "unsupported_media_type", &[]);
    }
    for (filename, content_type) in [
        ("a", "application/pdf"),
        ("a.DOCX", "application/octet-stream"),
        ("a.txt", "Text/Plain; charset=utf-8"),
        ("ä".repeat(255).as_str(), "image/jpg"),
    ] {
        let response = upload(filename, content_type).await;
        assert_eq!(
            response.status,
            201,
            "{filename} {content_type}: {}",
            response.text()
        );
        assert_eq!(response.json()["headers"]["Content-Type"], content_type);
    }
}

#[tokio::test]
async fn file_size_is_limited_by_the_plan() {
    for (plan, megabytes) in [
        ("free", 25),
        ("starter", 100),
        ("pro", 250),
        ("business", 1_024),
    ] {
        let account = Account::new(plan);
        let most = megabytes * 1_000_000_u64;
        for (size, status) in [(most, 201), (most + 1, 413), (u64::MAX, 413)] {
            let body =
                json!({"filename": "a.pdf", "contentType": "application/pdf", "sizeBytes": size});
            let response = account.client.post("/files/upload", &[], &body).await;
            assert_eq!(
                response.status,
                status,
                "{plan} {size}: {}",
                response.text()
            );
            if status == 413 {
                assert_error(&response, 413, "payload_too_large", &[]);
            }
        }
    }
}
