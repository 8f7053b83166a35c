//! Compatibility routes with uploads, which create jobs.

use serde_json::{Value, json};
use tests::client::unique;
use tests::documents;

use super::{finished_job, post};
use crate::account::Account;

async fn pdf(account: &Account, pages: usize) -> String {
    let bytes = documents::pdf(pages, 200, 100);
    let client = &account.client;
    client.upload("pages.pdf", "application/pdf", bytes).await
}

#[tokio::test]
async fn an_upload_is_converted_by_a_job() {
    let account = Account::new("starter");
    let body = json!({
        "sourceKey": pdf(&account, 1).await, "inputFormat": "pdf", "format": "text", "unknown": "red"
    });
    let key = unique("compat");
    let first = post(&account, "/convert", Some(&key), &body).await;
    assert_eq!(first.json()["created"], true);
    let job = finished_job(&account, &first).await;
    assert_eq!(job["status"], "completed", "{job}");
    assert_eq!(job["creditsCharged"], 2);
    assert_eq!(job["filename"], "document");
    let again = post(&account, "/convert", Some(&key), &body).await;
    assert_eq!(again.status, 200, "{}", again.text());
    assert_eq!(again.header("idempotency-replayed"), "true");
    assert_eq!(again.json()["jobId"], job["jobId"]);
    assert_eq!(again.json()["created"], false);
    assert_eq!(account.remaining().await.1, 2_000 - 2);
    assert_eq!(account.jobs().await.len(), 1);
}

#[tokio::test]
async fn an_image_and_a_pdf_are_compressed() {
    let account = Account::new("starter");
    let picture = account.compression_body().await["sourceKey"].take();
    let body =
        json!({"sourceKey": picture, "format": "webp", "quality": 60, "filename": "dot.png"});
    let job = finished_job(&account, &post(&account, "/compress", None, &body).await).await;
    assert_eq!(job["output"]["contentType"], "image/webp", "{job}");
    let webp = account.client.result(&job).await;
    assert_eq!((&webp[..4], &webp[8..12]), (&b"RIFF"[..], &b"WEBP"[..]));
    let body = json!({"sourceKey": pdf(&account, 2).await});
    let job = finished_job(&account, &post(&account, "/compress", None, &body).await).await;
    assert_eq!(job["status"], "completed", "{job}");
    assert_eq!(
        (&job["operation"], &job["output"]["pages"]),
        (&json!("optimize"), &json!(2))
    );
    assert_eq!(account.remaining().await.1, 2_000 - 2);
}

#[tokio::test]
async fn pdf_operations_take_their_options_as_fields_of_the_request() {
    let account = Account::new("starter");
    let keys = [
        pdf(&account, 1).await,
        pdf(&account, 2).await,
        pdf(&account, 3).await,
    ];
    let three = &keys[2];
    for (body, pages, files) in [
        (
            json!({"operation": "merge", "sourceKeys": keys, "filename": "all.pdf"}),
            6,
            None,
        ),
        (
            json!({"operation": "split", "sourceKeys": [three], "every": 2}),
            3,
            Some(2),
        ),
        (
            json!({"operation": "extract-pages", "sourceKeys": [three], "pages": "3,1"}),
            2,
            None,
        ),
        (
            json!({"operation": "optimisation", "sourceKeys": [three], "level": "small"}),
            3,
            None,
        ),
        (
            json!({"operation": "compress", "sourceKeys": [three]}),
            3,
            None,
        ),
    ] {
        let job = finished_job(&account, &post(&account, "/pdf", None, &body).await).await;
        assert_eq!(job["status"], "completed", "{body}: {job}");
        assert_eq!(job["output"]["pages"], pages, "{body}: {job}");
        assert_eq!(job["files"].as_array().map(Vec::len), files, "{body}");
        assert_eq!(job["creditsCharged"], 1, "{body}");
    }
}

#[tokio::test]
async fn text_of_an_upload_is_recognized() {
    let account = Account::new("starter");
    let body = json!({"sourceKey": pdf(&account, 1).await, "format": "text"});
    let job = finished_job(&account, &post(&account, "/ocr", None, &body).await).await;
    assert_eq!(job["status"], "completed", "{job}");
    assert_eq!(
        (&job["operation"], &job["creditsCharged"]),
        (&json!("ocr"), &json!(3))
    );
    assert_eq!(job["output"]["contentType"], "text/plain", "{job}");
}

#[tokio::test]
async fn failed_jobs_are_refunded() {
    let account = Account::new("free");
    let body = account.failing_body().await;
    let job = finished_job(&account, &post(&account, "/convert", None, &body).await).await;
    assert_eq!(
        job["error"]["code"],
        Value::from("content_mismatch"),
        "{job}"
    );
    assert_eq!(account.remaining().await, (10, 100));
}
