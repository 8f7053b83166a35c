//! Webhook deliveries of document events.

use serde_json::{Value, json};
use tests::documents;
use tests::trusted_host::{Request, StubResponse, TrustedHost};

use crate::account::{Account, job_id};
use crate::subscriber::{Subscriber, assert_signed};

/// Returns the `data` of the received event of this type.
fn data(received: &[Request], event_type: &str) -> Value {
    let mut bodies = received.iter().map(Request::json);
    let body = bodies.find(|body| body["type"] == event_type);
    body.unwrap_or_else(|| panic!("no {event_type} in {received:?}"))["data"].take()
}

#[tokio::test]
async fn import_versions_and_deletion_of_a_document_are_delivered() {
    let account = Account::new("starter");
    let host = TrustedHost::serve(|path| match path {
        "/report.pdf" => StubResponse::ok("application/pdf", documents::pdf(1, 200, 100)),
        _ => StubResponse::status(204),
    })
    .await;
    let webhook = Subscriber::webhook(&account, "/documents", &["document.*"]).await;
    let versions = ["document.version.created"];
    let versions = Subscriber::webhook(&account, "/versions", &versions).await;

    let body = json!({"url": TrustedHost::url("/report.pdf")});
    let imported = account.client.post("/documents/import", &[], &body).await;
    assert_eq!(imported.status, 201, "{}", imported.text());
    let imported = imported.json();
    let document = imported["documentId"].as_str().unwrap();
    let path = format!("/documents/{document}");
    let body = json!({"operation": "convert", "format": "txt"});
    let process = format!("{path}/process");
    let created = account.client.post(&process, &[], &body).await.json();
    let job = account.client.wait(&job_id(&created)).await;
    assert_eq!(job["status"], "completed", "{job}");
    let detail = account.client.get(&path).await.json();
    assert_eq!(detail["versions"].as_array().unwrap().len(), 2, "{detail}");
    let deleted = account.client.send("DELETE", &path, &[], None).await;
    assert_eq!(deleted.status, 204, "{}", deleted.text());

    webhook.wait_for_deliveries(&account, 3).await;
    let received = host.received(&webhook.path);
    assert_eq!(received.len(), 3, "{received:?}");
    for request in &received {
        assert_signed(&webhook.secret, request);
    }
    let document_url = format!("/api/v1{path}");
    assert_eq!(
        data(&received, "document.imported"),
        json!({
            "documentId": document, "versionId": imported["versionId"], "filename": "report.pdf",
            "contentType": "application/pdf", "sizeBytes": imported["sizeBytes"], "documentUrl": document_url,
        })
    );
    let made = data(&received, "document.version.created");
    let versions_shown = detail["versions"].as_array().unwrap();
    let mut shown = versions_shown.iter();
    let version = shown.find(|version| version["jobId"] == job["jobId"]);
    let version = version.unwrap();
    assert_eq!(
        made,
        json!({
            "documentId": document, "versionId": version["id"], "jobId": job["jobId"],
            "filename": version["filename"], "contentType": "text/plain", "sizeBytes": version["sizeBytes"],
            "documentUrl": document_url,
        })
    );
    assert_eq!(
        data(&received, "document.deleted"),
        json!({"documentId": document, "documentUrl": document_url})
    );
    versions.wait_for_deliveries(&account, 1).await;
    let only = host.received(&versions.path);
    assert_eq!(only.len(), 1, "{only:?}");
    assert_eq!(data(&only, "document.version.created"), made);
}
