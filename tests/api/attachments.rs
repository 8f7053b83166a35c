//! Attachments: uploads that are merged into a document or laid over it as a watermark, in pipelines and jobs.

use serde_json::{Value, json};
use tests::client::unique;
use tests::corpus::directory;

use crate::account::{Account, accepted_job_id};
use crate::poppler;

/// Corpus files and their page counts.
const LETTER: (&str, usize) = ("pdf-text/multi_page.pdf", 5);
const ESSAY: (&str, usize) = ("pdf-text/lorem-ipsum-pages-09-4.1-923.pdf", 2);
const GUIDE: (&str, usize) = ("pdf-text/basicapi.pdf", 3);
const STAMP: &str = "pdf-text/text_only_pdfa1b.pdf";

fn read(file: &str) -> Vec<u8> {
    std::fs::read(directory().join(file)).unwrap()
}

async fn upload(account: &Account, file: &str) -> String {
    let name = file.rsplit('/').next().unwrap();
    let octets = "application/octet-stream";
    account.client.upload(name, octets, read(file)).await
}

/// Returns the text of each page of several files, concatenated.
fn page_texts(files: &[(&str, usize)]) -> Vec<String> {
    let all = files.iter().flat_map(|(file, pages)| {
        let texts = poppler::page_texts(&read(file));
        assert_eq!(
            (texts.len(), poppler::page_count(&read(file))),
            (*pages, *pages)
        );
        texts
    });
    all.collect()
}

/// Splits a text into words.
fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

async fn completed_pdf(
    account: &Account,
    response: tests::client::Response,
    credits: u32,
) -> Vec<u8> {
    let job = account.client.wait(&accepted_job_id(&response)).await;
    assert_eq!(job["status"], "completed", "{job}");
    assert_eq!(job["creditsCharged"], credits, "{job}");
    let pdf = account.client.result(&job).await;
    assert_eq!(job["output"]["pages"], poppler::page_count(&pdf), "{job}");
    pdf
}

#[tokio::test]
async fn a_pipeline_merges_uploads_and_watermarks_selected_pages() {
    let account = Account::new("pro");
    let (essay, guide) = (
        upload(&account, ESSAY.0).await,
        upload(&account, GUIDE.0).await,
    );
    let picture = account.compression_body().await["sourceKey"].take();
    let body = json!({"sourceKey": upload(&account, LETTER.0).await, "filename": "all.pdf", "steps": [
        {"operation": "merge", "sourceKeys": [guide, essay]},
        {"operation": "watermark", "sourceKey": picture, "pages": "1,last"},
    ]});
    let before = account.remaining().await.1;
    let headers = [("idempotency-key", &*unique("attached"))];
    let response = account.client.post("/pipeline", &headers, &body).await;
    let pdf = completed_pdf(&account, response, 2).await;
    assert_eq!(before - account.remaining().await.1, 2);
    let expected = page_texts(&[LETTER, GUIDE, ESSAY]);
    let found = poppler::page_texts(&pdf);
    assert_eq!(found.len(), 5 + 3 + 2);
    for (number, (found, expected)) in found.iter().zip(&expected).enumerate() {
        assert_eq!(words(found), words(expected), "page {}", number + 1);
    }
    let own = [LETTER, GUIDE, ESSAY].map(|(file, _)| poppler::image_pages(&read(file)).len());
    assert_eq!(own, [0; 3], "the source documents have no images");
    assert_eq!(poppler::image_pages(&pdf), [1, 10]);
}

#[tokio::test]
async fn a_job_merges_uploads_and_watermarks_all_pages() {
    let account = Account::new("pro");
    let (guide, stamp) = (
        upload(&account, GUIDE.0).await,
        upload(&account, STAMP).await,
    );
    let body = json!({
        "filename": "all.pdf", "format": "pdf", "sourceKey": upload(&account, ESSAY.0).await, "operations": [
            {"operation": "merge", "sourceKeys": [guide]},
            {"operation": "watermark", "sourceKey": stamp},
        ]
    });
    let response = account.client.create_job(&body, None).await;
    assert_eq!(response.json()["processor"], "process-pdf");
    let pdf = completed_pdf(&account, response, 2).await;
    let stamp = poppler::text(&read(STAMP));
    let stamp = words(&stamp);
    assert!(stamp.len() > 5, "{stamp:?}");
    let found = poppler::page_texts(&pdf);
    assert_eq!(found.len(), 2 + 3);
    for (number, (found, own)) in found.iter().zip(page_texts(&[ESSAY, GUIDE])).enumerate() {
        let found = words(found);
        for word in stamp.iter().copied().chain(words(&own)) {
            assert!(found.contains(&word), "page {}: no {word}", number + 1);
        }
    }
}

/// The error of an invalid attachment is reported and the job is refunded.
#[tokio::test]
async fn an_invalid_attachment_fails_the_job_and_refunds_it() {
    let account = Account::new("pro");
    let source = upload(&account, GUIDE.0).await;
    let torn = read(ESSAY.0)[..2_000].to_vec();
    let torn = account.client.upload("torn.pdf", "application/pdf", torn);
    let steps: Value = json!([{"operation": "merge", "sourceKeys": [torn.await]}]);
    let before = account.usage().await;
    let headers = [("idempotency-key", &*unique("attached"))];
    let body = json!({"sourceKey": source, "filename": "a.pdf", "steps": steps});
    let pipeline = account.client.post("/pipeline", &headers, &body).await;
    let body =
        json!({"filename": "a.pdf", "format": "pdf", "sourceKey": source, "operations": steps});
    let job = account.client.create_job(&body, None).await;
    for response in [pipeline, job] {
        let job = account.client.wait(&accepted_job_id(&response)).await;
        assert_eq!(job["status"], "failed", "{job}");
        assert_eq!(job["error"]["code"], "input_corrupt", "{job}");
        assert_eq!(job["creditsCharged"], 0, "{job}");
    }
    assert_eq!(account.usage().await, before);
}
