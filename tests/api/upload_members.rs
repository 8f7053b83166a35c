//! Every member of `POST /files/upload`, wrong in every way.

use serde_json::json;
use tests::client::unique;

use crate::account::Account;
use crate::members::{Kind, Member, Wrong, wrong};
use crate::refusal::assert_refused;

const MEMBERS: [Member; 3] = [
    Member {
        name: "filename",
        kind: Kind::Text,
        required: true,
    },
    Member {
        name: "contentType",
        kind: Kind::Text,
        required: true,
    },
    Member {
        name: "sizeBytes",
        kind: Kind::Number,
        required: true,
    },
];

#[tokio::test]
async fn wrong_members_are_refused_and_use_up_no_key() {
    let account = Account::new("business");
    let base = json!({"filename": "a.pdf", "contentType": "application/pdf", "sizeBytes": 10});
    let mut all = wrong(&base, &MEMBERS);
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
    all.extend(more.map(|(name, value)| Wrong::set(&base, name, value, "invalid_value")));
    let key = unique("upload");
    let headers = [("idempotency-key", key.as_str())];
    for wrong in all {
        let answer = account
            .client
            .post("/files/upload", &headers, &wrong.body)
            .await;
        assert_eq!(answer.status, 400, "{}: {}", wrong.what, answer.text());
        assert_refused(&answer, 400, "invalid_request", &wrong.faults());
    }
    let answer = account.client.post("/files/upload", &headers, &base).await;
    assert_eq!(
        (answer.status, answer.header("idempotency-replayed")),
        (201, "")
    );
}

#[tokio::test]
async fn types_that_nobody_reads_are_refused() {
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
        let answer = upload(filename, content_type).await;
        assert_refused(&answer, 415, "unsupported_media_type", &[]);
    }
    for (filename, content_type) in [
        ("a", "application/pdf"),
        ("a.DOCX", "application/octet-stream"),
        ("a.txt", "Text/Plain; charset=utf-8"),
        ("ä".repeat(255).as_str(), "image/jpg"),
    ] {
        let answer = upload(filename, content_type).await;
        assert_eq!(
            answer.status,
            201,
            "{filename} {content_type}: {}",
            answer.text()
        );
        assert_eq!(answer.json()["headers"]["Content-Type"], content_type);
    }
}

#[tokio::test]
async fn a_file_may_be_as_large_as_the_plan_says() {
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
            let answer = account.client.post("/files/upload", &[], &body).await;
            assert_eq!(answer.status, status, "{plan} {size}: {}", answer.text());
            if status == 413 {
                assert_refused(&answer, 413, "payload_too_large", &[]);
            }
        }
    }
}
