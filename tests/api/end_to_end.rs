//! End-to-end test: upload, job, status, result, usage.

use domain::key::hex;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tests::client::{Client, Response, download, put, unique};
use tests::corpus;

use crate::account::{Account, job_id};
use crate::billing::now_ms;

const DOCX: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const QUARTER_HOUR: i64 = 15 * 60 * 1_000;

#[tokio::test]
async fn a_document_is_uploaded_converted_and_downloaded() {
    let account = Account::new("free");
    let before = account.usage().await;
    assert_eq!(before["remaining"], json!({"today": 10, "this_month": 100}));
    let document = corpus::good("docx").swap_remove(1);
    let source = upload(&account.client, document.bytes()).await;
    let job = create(&account.client, &source).await;
    let job = poll(&account.client, &job).await;
    check_job(&job, document.pages_libreoffice.unwrap());
    let pdf = fetch(&account.client, &job).await;
    check_pdf(&job, &pdf.bytes);
    assert_eq!(download(text(&job, "artifactUrl")).await.bytes, pdf.bytes);
    let mut after = before;
    after["remaining"] = json!({"today": 9, "this_month": 99});
    assert_eq!(account.usage().await, after);
}

async fn upload(client: &Client, bytes: Vec<u8>) -> String {
    let body = json!({"filename": "Übersicht.docx", "contentType": DOCX, "sizeBytes": bytes.len()});
    let requested_at = now_ms();
    let response = client.post("/files/upload", &[], &body).await;
    assert_eq!(response.status, 201, "{}", response.text());
    assert_eq!(response.header("cache-control"), "no-store");
    assert_eq!(response.header("ratelimit-policy"), "\"burst\";q=5;w=1");
    assert_eq!(response.header("idempotency-replayed"), "");
    let grant = response.json();
    assert_eq!(grant["method"], "PUT");
    let headers = json!({
        "Content-Length": bytes.len().to_string(), "Content-Type": DOCX, "If-None-Match": "*"
    });
    assert_eq!(grant["headers"], headers);
    let valid_for = grant["expiresAt"].as_i64().unwrap() - requested_at;
    assert!(
        (0..5_000).contains(&(valid_for - QUARTER_HOUR)),
        "{valid_for}"
    );
    assert_eq!(put(&grant, bytes).await.0, 200);
    text(&grant, "sourceKey").to_owned()
}

async fn create(client: &Client, source: &str) -> String {
    let body = json!({
        "filename": "Übersicht.docx", "format": "pdf", "inputFormat": "docx", "sourceKey": source,
        "metadata": {"order": 7, "tags": ["a", {"b": null}]}
    });
    let response = client.create_job(&body, Some(&unique("journey"))).await;
    assert_eq!(response.status, 202, "{}", response.text());
    let id = job_id(&response.json());
    let expected = json!({
        "jobId": id, "status": "queued", "created": true,
        "statusUrl": format!("/api/v1/jobs/{id}"), "resultUrl": format!("/api/v1/jobs/{id}/result"),
        "processor": "process-office"
    });
    assert_eq!(response.json(), expected);
    assert_eq!(response.header("location"), format!("/api/v1/jobs/{id}"));
    assert_eq!(response.header("retry-after"), "1");
    assert_eq!(response.header("idempotency-replayed"), "");
    id
}

async fn poll(client: &Client, id: &str) -> Value {
    loop {
        let response = client.get(&format!("/jobs/{id}")).await;
        assert_eq!(response.status, 200, "{}", response.text());
        let job = response.json();
        if matches!(text(&job, "status"), "completed" | "failed" | "dead_letter") {
            assert_eq!(response.header("retry-after"), "");
            return job;
        }
        assert_eq!(response.header("location"), format!("/api/v1/jobs/{id}"));
        assert_eq!(response.header("retry-after"), "1");
        for member in ["artifactUrl", "output", "files", "error"] {
            assert_eq!(job.get(member), None, "{job}");
        }
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    }
}

fn check_job(job: &Value, pages: u32) {
    let expected = json!({
        "status": "completed", "created": false, "processor": "process-office",
        "filename": "Übersicht.docx", "operation": "convert", "attempts": 1, "progress": 100,
        "creditsCharged": 2, "metadata": {"order": 7, "tags": ["a", {"b": null}]}, "warnings": [],
    });
    for (member, value) in expected.as_object().unwrap() {
        assert_eq!(&job[member], value, "{member}: {job}");
    }
    assert_eq!(job["output"]["contentType"], "application/pdf");
    assert_eq!(job["output"]["pages"], pages);
    assert_eq!(job.get("files"), None);
    assert_eq!(job.get("error"), None);
    check_times(job);
}

fn check_times(job: &Value) {
    let timeline = job["timeline"].as_array().unwrap();
    let statuses: Vec<_> = timeline.iter().map(|entry| text(entry, "status")).collect();
    assert_eq!(statuses, ["queued", "processing", "completed"]);
    let attempts: Vec<_> = timeline.iter().map(|entry| &entry["attempt"]).collect();
    assert_eq!(attempts, [&json!(0), &json!(1), &json!(1)]);
    let times: Vec<_> = timeline
        .iter()
        .map(|entry| entry["at"].as_i64().unwrap())
        .collect();
    assert!(times.is_sorted(), "{times:?}");
    assert_eq!(job["createdAt"], times[0]);
    assert_eq!(job["updatedAt"], times[2]);
    let kept = job["expiresAt"].as_i64().unwrap() - times[2];
    let week = 7 * 24 * 3_600_000;
    assert!((week - 60_000..=week).contains(&kept), "{kept}");
}

async fn fetch(client: &Client, job: &Value) -> Response {
    let response = client
        .get(&format!("/jobs/{}/result", text(job, "jobId")))
        .await;
    assert_eq!(response.status, 302, "{}", response.text());
    let url = response.header("location");
    assert!(url.contains("X-Amz-Expires=900"), "{url}");
    let download = download(url).await;
    assert_eq!(download.header("content-type"), "application/pdf");
    assert_eq!(
        download.header("content-disposition"),
        "attachment; filename=\"_bersicht.pdf\"; filename*=UTF-8''%C3%9Cbersicht.pdf"
    );
    download
}

fn check_pdf(job: &Value, pdf: &[u8]) {
    assert!(pdf.starts_with(b"%PDF-1."));
    assert!(pdf.trim_ascii_end().ends_with(b"%%EOF"));
    assert_eq!(job["output"]["sizeBytes"], pdf.len());
    assert_eq!(job["output"]["sha256"], hex(&Sha256::digest(pdf)));
}

fn text<'a>(object: &'a Value, member: &str) -> &'a str {
    object[member].as_str().unwrap()
}
