//! Counting on the Free plan: each accepted job or import is one request; nothing else counts.

use serde_json::{Value, json};
use tests::client::unique;
use tests::documents;
use tests::library_fixture::LibraryFixture;
use tests::trusted_host::{StubResponse, TrustedHost};

use crate::account::Account;

#[tokio::test]
async fn each_job_counts_as_one_request_and_reads_count_as_none() {
    let account = Account::new("free");
    let _host =
        TrustedHost::serve(|_| StubResponse::ok("application/pdf", documents::pdf(1, 200, 100)))
            .await;
    let (document, _) = LibraryFixture::open(&account.id)
        .await
        .add_pdf("a.pdf", 2)
        .await;
    let job = account.conversion_body().await;
    let (source, url) = (job["sourceKey"].clone(), TrustedHost::url("/a.pdf"));
    let turn = json!({"operation": "rotate", "angle": 90});
    let convert = json!({"operation": "convert", "format": "txt"});
    let work: [(&str, Value, u16); 7] = [
        ("/jobs", job, 202),
        (
            "/pipeline",
            json!({"sourceKey": source, "steps": [turn, turn, convert]}),
            202,
        ),
        ("/convert", json!({"url": url, "format": "txt"}), 200),
        (
            "/pdf",
            json!({"operation": "split", "sourceKeys": [source]}),
            202,
        ),
        ("/merge", json!({"files": [url, url]}), 200),
        (&format!("/documents/{document}/process"), convert, 202),
        ("/documents/import", json!({"url": url}), 201),
    ];
    for (left, (path, body, status)) in (3..10).rev().zip(&work) {
        let key = unique("free");
        for replayed in [false, true] {
            let headers = [("idempotency-key", key.as_str())];
            let response = account.client.post(path, &headers, body).await;
            assert_eq!(response.header("idempotency-replayed") == "true", replayed);
            let again = if *status == 202 { 200 } else { *status };
            let expected = if replayed { again } else { *status };
            assert_eq!(response.status, expected, "{path}: {}", response.text());
            assert_eq!(account.remaining().await, (left, left + 90), "{path}");
        }
        for path in ["/health", "/formats", "/usage", "/jobs", "/documents"] {
            assert_eq!(account.client.get(path).await.status, 200, "{path}");
        }
        let (other, none) = (unique("refused"), json!([]));
        let headers = [("idempotency-key", other.as_str())];
        let refused = account.client.post(path, &headers, &none).await;
        assert!([400, 422].contains(&refused.status), "{path}");
        assert_eq!(account.remaining().await, (left, left + 90), "{path}");
    }
    let shown = account
        .client
        .get(&format!("/documents/{document}/download"))
        .await;
    assert_eq!(shown.status, 302);
    assert_eq!(account.remaining().await, (3, 93));
}
