//! OCR of a document that is too long for one run of an engine function.

use serde_json::json;
use tests::client::Client;
use tests::documents;
use tests::logs;
use tests::stack::stack;

use crate::poppler;

/// So many pages that OCR would take more than 300 CPU seconds by estimate; their few letters take much less.
const PAGES: usize = 760;
const RESOLUTION: u32 = 200;

#[tokio::test]
async fn a_long_scan_is_recognized_by_ranges_of_pages() {
    let page = poppler::gray(&documents::pdf(1, 144, 72), RESOLUTION);
    let sides = page.dimensions();
    let book = documents::scanned_pdf(PAGES, &page.into_raw(), sides, RESOLUTION);
    let client = Client::with_key(Some(&stack().keys["business"]));
    let source = client.upload("book.pdf", "application/pdf", book).await;
    let body = json!({
        "filename": "book.pdf", "inputFormat": "pdf", "format": "pdf", "sourceKey": source,
        "operations": [{"operation": "ocr", "output": "pdf", "language": "en"}],
    });
    let created = client.create_job(&body, None).await;
    assert_eq!(created.status, 202, "{}", created.text());
    let created = created.json();
    let job = client.wait(created["jobId"].as_str().unwrap()).await;
    assert_eq!(job["status"], "completed", "{job}");
    assert_eq!(job["output"]["pages"], PAGES);
    let result = client.result(&job).await;
    let texts = poppler::page_texts(&result);
    assert_eq!(texts.len(), PAGES);
    let unread = texts.iter().filter(|text| !text.contains("page 1"));
    assert_eq!(unread.count(), 0);
    let lines = logs::of("process-ocr");
    let divided = lines
        .iter()
        .find(|line| line["span"]["job_id"] == job["jobId"] && line["message"] == "OCR by ranges");
    assert_eq!(divided.unwrap()["ranges"], 3);
}
