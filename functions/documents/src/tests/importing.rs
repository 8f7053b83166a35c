//! Imports: responses, charges and stored records.

use domain::plan::Plan;
use serde_json::json;
use testkit::{Call, Fault};

use super::{Caller, PDF};

const URL: &str = "https://files.octavo-tests.com/report.pdf";
const KEY: &str = "my-own-name";

#[tokio::test]
async fn an_imported_document_can_be_read_and_downloaded() {
    let caller = Caller::on(Plan::Starter).await;
    caller.fakes.put_remote(URL, PDF);
    let body = json!({
        "url": URL, "filename": "Bericht März.pdf", "contentType": "application/pdf",
        "folderId": "contracts", "groupId": "g1",
    });
    let response = caller.import(&body, None).await;
    let (document, version) = (response.text("documentId"), response.text("versionId"));
    let path = format!("/documents/{document}");
    let expected = json!({
        "id": document, "documentId": document, "versionId": version,
        "filename": "Bericht März.pdf", "contentType": "application/pdf", "sizeBytes": PDF.len(),
        "groupId": "g1", "folderId": "contracts",
        "downloadUrl": format!("/api/v1{path}/download"), "status": "imported",
    });
    assert_eq!((response.status, &response.body), (201, &expected));
    assert_eq!(response.headers["location"], format!("/api/v1{path}"));
    assert!(!response.headers.contains_key("idempotency-replayed"));
    assert_eq!(caller.used().await, 1);

    let read = caller.get(&path).await;
    let at = read.body["document"]["createdAt"].clone();
    assert!(at.is_i64());
    let expected = json!({
        "document": {
            "id": document, "filename": "Bericht März.pdf", "contentType": "application/pdf",
            "sizeBytes": PDF.len(), "folderId": "contracts", "groupId": "g1",
            "currentVersionId": version, "versionCount": 1, "source": "import",
            "status": "ready", "tags": [], "createdAt": at, "updatedAt": at,
        },
        "versions": [{
            "id": version, "number": 1, "filename": "Bericht März.pdf",
            "contentType": "application/pdf", "sizeBytes": PDF.len(),
            "sha256": sha256(PDF),
            "pageCount": null, "source": "import", "jobId": null, "operation": null,
            "parentVersionId": null, "createdAt": at, "pages": [],
        }],
    });
    assert_eq!((read.status, read.body), (200, expected));

    for path in [
        format!("{path}/download"),
        format!("{path}/versions/{version}/download"),
    ] {
        let response = caller.get(&path).await;
        assert_eq!(response.status, 302, "{}", response.body);
    }
    let pages = caller
        .get(&format!("{path}/versions/{version}/pages"))
        .await;
    let expected = json!({"pages": [], "pageCount": null, "nextCursor": null});
    assert_eq!((pages.status, pages.body), (200, expected));
}

fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest as _;
    domain::key::hex(&sha2::Sha256::digest(bytes))
}

#[tokio::test]
async fn missing_members_are_inferred_or_defaulted() {
    let caller = Caller::on(Plan::Business).await;
    caller.fakes.put_remote(URL, b"name,amount\nA,1\n");
    let response = caller.import(&json!({"url": URL}), None).await;
    assert_eq!(response.status, 201, "{}", response.body);
    assert_eq!(response.text("folderId"), "root");
    assert!(response.body.get("groupId").is_none());
    // The test server sends neither a content type nor a filename.
    assert_eq!(response.text("filename"), "document.txt");
    let named = caller
        .import(&json!({"url": URL, "filename": "a.csv"}), None)
        .await;
    assert_eq!(named.text("contentType"), "text/csv");
    let claimed = json!({"url": URL, "contentType": "text/markdown; charset=utf-8"});
    let claimed = caller.import(&claimed, None).await;
    assert_eq!(claimed.text("contentType"), "text/markdown");
}

#[tokio::test]
async fn a_content_type_that_contradicts_the_bytes_is_rejected_without_charge() {
    let caller = Caller::on(Plan::Starter).await;
    caller.fakes.put_remote(URL, PDF);
    for claim in ["image/jpeg", "text/plain", "TEXT/HTML; charset=utf-8"] {
        let body = json!({"url": URL, "contentType": claim});
        let response = caller.import(&body, Some(KEY)).await;
        assert_eq!(response.error(), (422, "content_mismatch"), "{claim}");
        let error = &response.body["errors"][0];
        assert_eq!(error["path"], "$.contentType");
        assert_eq!(error["code"], "content_mismatch");
        assert!(
            error["message"]
                .as_str()
                .unwrap()
                .contains("application/pdf")
        );
    }
    for claim in ["pdf", "", "application pdf"] {
        let body = json!({"url": URL, "contentType": claim});
        let response = caller.import(&body, Some(KEY)).await;
        assert_eq!(response.error(), (400, "invalid_request"), "{claim}");
    }
    assert_eq!(caller.used().await, 0, "refunded");
    for claim in ["application/octet-stream", "application/x-pdf"] {
        let body = json!({"url": URL, "contentType": claim});
        let response = caller.import(&body, None).await;
        assert_eq!(response.text("contentType"), "application/pdf", "{claim}");
    }
    caller
        .fakes
        .put_remote(URL, b"<html><body>Page</body></html>");
    let plain = json!({"url": URL, "contentType": "text/plain"});
    let html = caller.import(&plain, None).await;
    assert_eq!(html.text("contentType"), "text/html");
    caller.fakes.put_remote(URL, b"<p>A piece of a page</p>");
    for claim in ["text/html", "text/csv", "text/markdown"] {
        let body = json!({"url": URL, "contentType": claim});
        let response = caller.import(&body, None).await;
        assert_eq!(response.text("contentType"), claim);
    }
}

#[tokio::test]
async fn urls_of_the_service_itself_are_rejected() {
    let caller = Caller::on(Plan::Starter).await;
    caller
        .fakes
        .put_redirect(URL, "https://api.octavo-tests.com/file");
    caller
        .fakes
        .put_remote("https://api.octavo-tests.com/file", PDF);
    let body = json!({"url": URL});
    let headers = [("host", "api.octavo-tests.com")];
    let response = caller.send("POST", "/documents/import", &headers, Some(&body));
    assert_eq!(response.await.error(), (422, "url_blocked"));
    assert_eq!(caller.used().await, 0, "refunded");
    assert_eq!(caller.import(&body, None).await.status, 201);
}

#[tokio::test]
async fn rejected_imports_have_their_code_and_no_charge() {
    let caller = Caller::on(Plan::Business).await;
    let other = Caller::another(&caller.fakes, Plan::Starter).await;
    let long = format!("https://files.octavo-tests.com/{}", "x".repeat(2_048));
    for (body, status, code) in [
        (json!({}), 400, "invalid_request"),
        (json!([]), 400, "invalid_request"),
        (json!({"url": URL, "tags": []}), 400, "invalid_request"),
        (
            json!({"url": URL, "filename": "x".repeat(181)}),
            400,
            "invalid_request",
        ),
        (json!({"url": "not a url"}), 400, "invalid_url"),
        (
            json!({"url": "ftp://files.octavo-tests.com/a"}),
            400,
            "invalid_url",
        ),
        (
            json!({"url": "http://files.octavo-tests.com/a"}),
            400,
            "invalid_url",
        ),
        (json!({"url": long}), 400, "invalid_url"),
        (json!({"url": "https://127.0.0.1/a"}), 422, "url_blocked"),
        (
            json!({"url": "https://user:word@files.octavo-tests.com/a"}),
            422,
            "url_blocked",
        ),
        (
            json!({"url": "https://octavo.test/api/v1/usage"}),
            422,
            "url_blocked",
        ),
        (
            json!({"url": "https://blocked.example/a"}),
            422,
            "url_blocked",
        ),
        (
            json!({"url": "https://files.octavo-tests.com/missing"}),
            422,
            "source_unavailable",
        ),
    ] {
        let response = caller.import(&body, None).await;
        assert_eq!(response.error(), (status, code), "{body}");
    }
    let own = json!({"url": "https://api.octavo-tests.com/api/v1/usage"});
    let headers = [("host", "api.octavo-tests.com")];
    let response = caller.send("POST", "/documents/import", &headers, Some(&own));
    assert_eq!(response.await.error(), (422, "url_blocked"));
    let missing = json!({"url": "https://files.octavo-tests.com/missing"});
    assert_eq!(
        other.import(&missing, None).await.error(),
        (422, "source_unavailable")
    );
    assert_eq!(other.used().await, 0, "refunded");
    assert_eq!(caller.get("/documents").await.body["count"], 0);
}

#[tokio::test]
async fn a_file_over_the_plans_limit_is_too_large() {
    let caller = Caller::on(Plan::Free).await;
    let maximum = usize::try_from(Plan::Free.limits().file_bytes).unwrap();
    caller.fakes.put_remote(URL, &vec![b'x'; maximum + 1]);
    let response = caller.import(&json!({"url": URL}), None).await;
    assert_eq!(response.error(), (413, "payload_too_large"));
    assert_eq!(caller.used().await, 0);
    caller.fakes.put_remote(URL, &vec![b'x'; maximum]);
    assert_eq!(caller.import(&json!({"url": URL}), None).await.status, 201);
    assert_eq!(caller.used().await, 1);
}

#[tokio::test]
async fn an_idempotency_key_imports_and_charges_once() {
    let caller = Caller::on(Plan::Starter).await;
    caller.fakes.put_remote(URL, PDF);
    let body = json!({"url": URL, "folderId": "a"});
    let first = caller.import(&body, Some(KEY)).await;
    assert_eq!(first.status, 201);
    let again = caller
        .import(&json!({"folderId": "a", "url": URL}), Some(KEY))
        .await;
    assert_eq!((again.status, &again.body), (201, &first.body));
    assert_eq!(again.headers["idempotency-replayed"], "true");
    let other = caller.import(&json!({"url": URL}), Some(KEY)).await;
    assert_eq!(other.error(), (422, "idempotency_key_reused"));
    let short = caller.import(&body, Some("short")).await;
    assert_eq!(short.error(), (400, "idempotency_key_invalid"));
    assert_eq!(caller.used().await, 1);
    assert_eq!(caller.get("/documents").await.body["count"], 1);
    let path = format!("/documents/{}", first.text("id"));
    assert_eq!(caller.send("DELETE", &path, &[], None).await.status, 204);
    let gone = caller.import(&body, Some(KEY)).await;
    assert_eq!(gone.error(), (404, "document_not_found"));
}

#[tokio::test]
async fn a_failed_import_frees_its_key() {
    let caller = Caller::on(Plan::Starter).await;
    let body = json!({"url": URL});
    let failed = caller.import(&body, Some(KEY)).await;
    assert_eq!(failed.error(), (422, "source_unavailable"));
    caller.fakes.put_remote(URL, PDF);
    assert_eq!(caller.import(&body, Some(KEY)).await.status, 201);
    assert_eq!(
        (caller.used().await, caller.fakes.refunded_imports()),
        (1, 1)
    );
}

#[tokio::test]
async fn an_exceeded_quota_rejects_the_import_before_the_fetch() {
    let caller = Caller::on(Plan::Free).await;
    caller.fakes.put_remote(URL, PDF);
    let now = runtime::clock::now();
    let set = domain::ports::Usage::set_used(
        caller.fakes.as_ref(),
        &caller.account.id,
        now.period(),
        Some(10),
        Some(10),
    );
    set.await.unwrap();
    let response = caller.import(&json!({"url": URL}), None).await;
    assert_eq!(response.error(), (402, "quota_exceeded"));
    assert!(response.headers.contains_key("retry-after"));
    assert_eq!(caller.used().await, 10);
}

#[tokio::test]
async fn a_failed_store_refunds_the_charge_and_leaves_no_records() {
    let caller = Caller::on(Plan::Starter).await;
    caller.fakes.put_remote(URL, PDF);
    caller.fakes.fail(Call::Store, Fault::Unavailable, 1);
    let response = caller.import(&json!({"url": URL}), Some(KEY)).await;
    assert_eq!(response.error(), (500, "internal_error"));
    assert_eq!(caller.used().await, 0);
    assert_eq!(caller.get("/documents").await.body["scanned"], 0);
    assert_eq!(
        caller.import(&json!({"url": URL}), Some(KEY)).await.status,
        201
    );
}
