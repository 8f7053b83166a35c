//! Imports from public URLs: responses, charges and errors.

use serde_json::{Value, json};
use tests::client::{Response, download, unique};
use tests::documents;
use tests::trusted_host::{StubResponse, TrustedHost};

use crate::account::Account;
use crate::problem::assert_error;

fn pdf() -> StubResponse {
    StubResponse::ok("application/pdf", documents::pdf(1, 200, 100))
}

async fn import(account: &Account, body: &Value, key: Option<&str>) -> Response {
    let headers: Vec<_> = key
        .map(|key| ("idempotency-key", key))
        .into_iter()
        .collect();
    account
        .client
        .post("/documents/import", &headers, body)
        .await
}

#[tokio::test]
async fn a_file_at_a_url_is_imported_and_downloaded() {
    let account = Account::new("starter");
    let host = TrustedHost::serve(|path| match path {
        "/moved?secret=1" => StubResponse::redirect("/files/Bericht%20M%C3%A4rz.pdf"),
        "/named" => pdf().with_header(
            "Content-Disposition",
            "attachment; filename=\"../other.pdf\"",
        ),
        "/page.html" => StubResponse::ok("application/pdf", "<!doctype html><script>1</script>"),
        _ => pdf(),
    })
    .await;
    let bytes = documents::pdf(1, 200, 100);
    let body = json!({"url": TrustedHost::url("/moved?secret=1"), "groupId": "g"});
    let response = import(&account, &body, None).await;
    assert_eq!(response.status, 201, "{}", response.text());
    let imported = response.json();
    assert_eq!(imported["filename"], "Bericht März.pdf");
    assert_eq!(imported["contentType"], "application/pdf");
    assert_eq!(imported["sizeBytes"], bytes.len());
    assert_eq!(
        (&imported["status"], &imported["id"]),
        (&json!("imported"), &imported["documentId"])
    );
    assert_eq!(host.requests().len(), 2);
    assert_eq!(account.remaining().await.1, 1_999);

    let path = format!("/documents/{}", imported["id"].as_str().unwrap());
    let version = imported["versionId"].as_str().unwrap();
    for path in [
        format!("{path}/download"),
        format!("{path}/versions/{version}/download"),
    ] {
        let redirect = account.client.get(&path).await;
        assert_eq!(redirect.status, 302, "{}", redirect.text());
        let file = download(redirect.header("location")).await;
        assert_eq!(file.bytes, bytes);
        assert_eq!(file.header("content-type"), "application/pdf");
        let disposition =
            "attachment; filename=\"Bericht M_rz.pdf\"; filename*=UTF-8''Bericht%20M%C3%A4rz.pdf";
        assert_eq!(file.header("content-disposition"), disposition);
    }
    let named = import(&account, &json!({"url": TrustedHost::url("/named")}), None).await;
    assert_eq!(named.json()["filename"], "other.pdf");
    let html = import(
        &account,
        &json!({"url": TrustedHost::url("/page.html")}),
        None,
    )
    .await
    .json();
    assert_eq!(
        html["contentType"], "text/html",
        "detected from the content, not from the Content-Type"
    );
    let path = format!("/documents/{}/download", html["id"].as_str().unwrap());
    let redirect = account.client.get(&path).await;
    let file = download(redirect.header("location")).await;
    assert!(
        file.header("content-disposition")
            .starts_with("attachment;")
    );

    let path = format!("/documents/{}", imported["id"].as_str().unwrap());
    let redirect = account.client.get(&format!("{path}/download")).await;
    assert_eq!(
        account.client.send("DELETE", &path, &[], None).await.status,
        204
    );
    let gone = tests::client::http()
        .build()
        .unwrap()
        .get(redirect.header("location"))
        .send()
        .await
        .unwrap();
    assert_eq!(
        gone.status(),
        404,
        "the object is deleted with its document"
    );
}

#[tokio::test]
async fn failed_fetches_are_rejected_and_refunded() {
    let account = Account::new("starter");
    let _host = TrustedHost::serve(|path| match path {
        "/private" => StubResponse::redirect("https://169.254.169.254/latest/meta-data/"),
        "/loop" => StubResponse::redirect("/loop"),
        "/large" => pdf().with_header("Content-Length", "100000001"),
        "/short" => pdf().with_header("Content-Length", "100000"),
        _ => StubResponse::status(404),
    })
    .await;
    let expected_error = |code| [("$.url", code)];
    for (path, status, code) in [
        ("/private", 422, "url_blocked"),
        ("/loop", 422, "source_unavailable"),
        ("/short", 422, "source_unavailable"),
        ("/missing", 422, "source_unavailable"),
    ] {
        let key = unique("import");
        let body = json!({"url": TrustedHost::url(path)});
        for _ in 0..2 {
            let response = import(&account, &body, Some(&key)).await;
            assert_error(&response, status, code, &expected_error(code));
        }
    }
    let large = import(&account, &json!({"url": TrustedHost::url("/large")}), None).await;
    assert_error(&large, 413, "payload_too_large", &[]);
    for (url, status, code) in [
        ("http://example.org/a.pdf", 400, "invalid_url"),
        ("nonsense", 400, "invalid_url"),
        ("https:example.org/a.pdf", 400, "invalid_url"),
        ("https://example.org/a b.pdf", 400, "invalid_url"),
        ("https://@example.org/a.pdf", 422, "url_blocked"),
        ("https://10.0.0.1/a.pdf", 422, "url_blocked"),
        ("https://localhost/a.pdf", 422, "url_blocked"),
    ] {
        let response = import(&account, &json!({"url": url}), None).await;
        assert_error(&response, status, code, &expected_error(code));
    }
    assert_eq!(account.remaining().await.1, 2_000);
    assert_eq!(account.client.get("/documents").await.json()["count"], 0);
}

#[tokio::test]
async fn an_idempotency_key_imports_and_charges_once() {
    let account = Account::new("starter");
    let host = TrustedHost::serve(|_| pdf()).await;
    let (body, key) = (json!({"url": TrustedHost::url("/a.pdf")}), unique("import"));
    let all = futures::future::join_all((0..30).map(|_| import(&account, &body, Some(&key)))).await;
    let first = all[0].json();
    let mut replayed = 0;
    for response in &all {
        assert_eq!((response.status, response.json()), (201, first.clone()));
        replayed += usize::from(response.header("idempotency-replayed") == "true");
    }
    assert_eq!((replayed, host.requests().len()), (29, 1));
    assert_eq!(account.remaining().await.1, 1_999);
    assert_eq!(account.client.get("/documents").await.json()["count"], 1);
    let other = json!({"url": TrustedHost::url("/b.pdf")});
    let response = import(&account, &other, Some(&key)).await;
    assert_error(&response, 422, "idempotency_key_reused", &[]);
}

#[tokio::test]
async fn concurrent_imports_never_exceed_the_quota() {
    let account = Account::new("free");
    let _host = TrustedHost::serve(|_| pdf()).await;
    account.set_used(7, 7);
    let body = json!({"url": TrustedHost::url("/a.pdf")});
    let all = futures::future::join_all((0..8).map(|_| import(&account, &body, None))).await;
    let statuses: Vec<_> = all.iter().map(|response| response.status).collect();
    let accepted = statuses.iter().filter(|status| **status == 201).count();
    let rejected = statuses.iter().filter(|status| **status == 402).count();
    assert_eq!((accepted, rejected), (3, 5), "{statuses:?}");
    assert_eq!(account.client.get("/documents").await.json()["count"], 3);
}
