//! Operations on single pages of saved documents, and unsupported ones.

use serde_json::{Value, json};
use tests::client::Response;
use tests::library_fixture::LibraryFixture;

use crate::account::{Account, job_id};
use crate::poppler;
use crate::problem::assert_error;

async fn process(account: &Account, target: &str, body: &Value) -> Response {
    let path = format!("/documents/{target}/process");
    account.client.post(&path, &[], body).await
}

/// Adds a PDF of `pages` pages; returns the document, its version and the identifier of its second page.
async fn add_pdf(account: &Account, pages: usize) -> (String, String, String) {
    let (document, version) = LibraryFixture::open(&account.id)
        .await
        .add_pdf("a.pdf", pages)
        .await;
    let path = format!("/documents/{document}");
    let detail = account.client.get(&path).await.json();
    let page = detail["versions"][0]["pages"][1]["id"].as_str().unwrap();
    (document.to_string(), version.to_string(), page.to_owned())
}

#[tokio::test]
async fn pages_support_cleanup_crop_scale_compress_and_ocr() {
    let account = Account::new("pro");
    let (document, version, page) = add_pdf(&account, 250).await;
    let target = format!("{document}/pages/{page}");
    let image = |steps: Value| json!({"operation": "image", "steps": steps});
    for (body, content_type, size, credits) in [
        (
            image(json!([{"operation": "cleanup", "denoise": true, "binarize": true}])),
            "image/png",
            None,
            1,
        ),
        (
            image(json!([
                {"operation": "crop", "x": 0, "y": 0, "width": 120, "height": 60},
                {"operation": "resize", "width": 60},
                {"operation": "compress", "quality": 50, "format": "webp"},
            ])),
            "image/webp",
            Some((60, 30)),
            3,
        ),
        (
            json!({"operation": "image", "format": "jpeg"}),
            "image/jpeg",
            None,
            2,
        ),
        (
            json!({"operation": "convert", "format": "pdf"}),
            "application/pdf",
            None,
            1,
        ),
        (
            json!({"operation": "pipeline", "pipeline": [{"operation": "ocr", "output": "text", "mode": "force"}]}),
            "text/plain",
            None,
            3,
        ),
    ] {
        let before = account.remaining().await.1;
        let response = process(&account, &target, &body).await;
        let created = response.json();
        let id = job_id(&created);
        let expected = json!({
            "jobId": id, "status": "queued", "created": true, "processor": created["processor"],
            "statusUrl": format!("/api/v1/jobs/{id}"), "resultUrl": format!("/api/v1/jobs/{id}/result"),
            "documentId": document, "versionId": version, "pageId": page,
        });
        assert_eq!((response.status, &created), (202, &expected));
        assert_eq!(response.header("location"), format!("/api/v1/jobs/{id}"));
        let job = account.client.wait(&id).await;
        assert_eq!(job["status"], "completed", "{body}: {job}");
        assert_eq!(job["output"]["contentType"], content_type, "{body}");
        assert_eq!(before - account.remaining().await.1, credits, "{body}");
        let result = account.client.result(&job).await;
        if content_type.starts_with("image/") {
            let picture = image::load_from_memory(&result).unwrap();
            let found = (picture.width(), picture.height());
            assert!(size.is_none_or(|size| size == found), "{body}: {found:?}");
        }
        if content_type == "application/pdf" {
            assert_eq!(poppler::page_count(&result), 1);
        }
        let detail = account
            .client
            .get(&format!("/documents/{document}"))
            .await
            .json();
        assert_eq!(detail["document"]["currentVersionId"], version, "{body}");
        assert_eq!(detail["versions"][0]["jobId"], id);
    }
}

#[tokio::test]
async fn unsupported_operations_are_rejected_without_charge() {
    let account = Account::new("pro");
    let (document, _, page) = add_pdf(&account, 250).await;
    let of_page = format!("{document}/pages/{page}");
    let before = account.usage().await;
    let pipeline = |steps: Value| json!({"operation": "pipeline", "steps": steps});
    let turn = json!({"operation": "rotate", "angle": 90});
    for (body, code, expected_error) in [
        (
            json!({}),
            "invalid_request",
            ("$.operation", "missing_field"),
        ),
        (
            json!({"operation": "shred"}),
            "invalid_request",
            ("$.operation", "invalid_value"),
        ),
        (
            json!({"operation": "convert"}),
            "invalid_request",
            ("$.format", "missing_field"),
        ),
        (
            json!({"operation": "convert", "format": "exe"}),
            "unsupported_conversion",
            ("$.format", "unsupported_conversion"),
        ),
        (
            json!({"operation": "image"}),
            "invalid_request",
            ("$.steps", "missing_field"),
        ),
        (
            json!({"operation": "image", "steps": [{"operation": "split"}]}),
            "invalid_step",
            ("$.steps[0].operation", "invalid_step"),
        ),
        (
            pipeline(json!([])),
            "invalid_request",
            ("$.steps", "invalid_value"),
        ),
        (
            pipeline(json!(vec![turn.clone(); 9])),
            "invalid_request",
            ("$.steps", "invalid_value"),
        ),
        (
            json!({"operation": "pipeline", "steps": [turn], "pipeline": [turn]}),
            "invalid_request",
            ("$.pipeline", "invalid_value"),
        ),
        (
            pipeline(json!([{"operation": "ocr"}, {"operation": "flatten"}])),
            "invalid_step",
            ("$.steps[1].operation", "invalid_step"),
        ),
        (
            pipeline(json!([turn, {"operation": "translate"}])),
            "unsupported_operation",
            ("$.steps[1].operation", "unsupported_operation"),
        ),
        (
            pipeline(json!([{"operation": "ocr", "language": "tlh"}])),
            "unsupported_language",
            ("$.steps[0].language", "unsupported_language"),
        ),
        (
            pipeline(json!([{"operation": "rotate", "angle": 90, "unknown": 1}])),
            "invalid_step",
            ("$.steps[0].unknown", "unknown_field"),
        ),
        (
            json!({"operation": "convert", "format": "txt", "url": "https://example.com/"}),
            "invalid_request",
            ("$.url", "unknown_field"),
        ),
    ] {
        for target in [&document, &of_page] {
            let response = process(&account, target, &body).await;
            assert_eq!(response.status, 422, "{body}: {}", response.text());
            assert_error(&response, 422, code, &[expected_error]);
        }
    }
    assert_eq!(account.usage().await, before);
    assert_eq!(account.jobs().await, Vec::<String>::new());
    let response = process(&account, &document, &pipeline(json!(vec![turn; 8]))).await;
    let job = account.client.wait(&job_id(&response.json())).await;
    assert_eq!(
        (&job["status"], &job["creditsCharged"]),
        (&json!("completed"), &json!(8))
    );
}
