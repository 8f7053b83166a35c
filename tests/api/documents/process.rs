//! Processing of saved documents and their pages, and the versions that it creates.

use std::time::{Duration, Instant};

use domain::id::{DocumentId, VersionId};
use domain::ports::Objects;
use domain::source::version_object;
use serde_json::{Value, json};
use tests::client::{Response, unique};
use tests::documents;
use tests::library_fixture::LibraryFixture;
use tests::trusted_host::{StubResponse, TrustedHost};

use crate::account::{Account, job_id};
use crate::problem::{assert_error, without_request_id};

pub(super) async fn process(
    account: &Account,
    target: &str,
    body: &Value,
    key: Option<&str>,
) -> Response {
    let headers: Vec<_> = key
        .map(|key| ("idempotency-key", key))
        .into_iter()
        .collect();
    let path = format!("/documents/{target}/process");
    account.client.post(&path, &headers, body).await
}

pub(super) async fn detail(account: &Account, document: &str) -> Value {
    let response = account.client.get(&format!("/documents/{document}")).await;
    assert_eq!(response.status, 200, "{}", response.text());
    response.json()
}

/// Adds a PDF with content of `pages` pages; its record has 250.
async fn add_pdf(library: &mut LibraryFixture, pages: usize) -> (DocumentId, VersionId) {
    library.add_pdf("Bericht.pdf", pages).await
}

fn rotate_body() -> Value {
    json!({"operation": "image", "steps": [{"operation": "rotate", "angle": 90}]})
}

#[tokio::test]
async fn an_edit_becomes_the_current_version_and_a_rendition_does_not() {
    let account = Account::new("starter");
    let mut library = LibraryFixture::open(&account.id).await;
    let (document, first) = add_pdf(&mut library, 2).await;
    let charged = account.remaining().await.1;

    let response = process(&account, document.as_str(), &rotate_body(), None).await;
    assert_eq!(response.status, 202, "{}", response.text());
    let created = response.json();
    assert_eq!(created["documentId"], document.as_str());
    assert_eq!(created["versionId"], first.as_str());
    let job = account.client.wait(&job_id(&created)).await;
    assert_eq!(job["status"], "completed", "{job}");
    let edited = detail(&account, document.as_str()).await;
    let new = &edited["versions"][0];
    assert_eq!(edited["document"]["versionCount"], 2);
    assert_eq!(edited["document"]["currentVersionId"], new["id"]);
    assert_eq!(edited["document"]["sizeBytes"], job["output"]["sizeBytes"]);
    assert_eq!((&new["number"], &new["pageCount"]), (&json!(2), &json!(2)));
    assert_eq!(new["parentVersionId"], first.as_str());
    assert_eq!(
        (&new["jobId"], &new["source"]),
        (&job["jobId"], &json!("job"))
    );
    assert_eq!(new["sha256"], job["output"]["sha256"]);
    assert_eq!(edited["versions"][1]["id"], first.as_str(), "kept");

    let body = json!({"operation": "convert", "format": "txt"});
    let response = process(&account, document.as_str(), &body, None).await;
    let created = response.json();
    assert_eq!(created["versionId"], new["id"], "the current version");
    let job = account.client.wait(&job_id(&created)).await;
    assert_eq!(job["status"], "completed", "{job}");
    let rendition = detail(&account, document.as_str()).await;
    assert_eq!(rendition["document"]["versionCount"], 3);
    assert_eq!(rendition["document"]["currentVersionId"], new["id"]);
    let text = &rendition["versions"][0];
    assert_eq!(text["contentType"], job["output"]["contentType"]);
    assert_eq!(
        (&text["pageCount"], &text["pages"]),
        (&Value::Null, &json!([]))
    );
    let path = format!(
        "/documents/{document}/versions/{}/download",
        text["id"].as_str().unwrap()
    );
    let redirect = account.client.get(&path).await;
    let file = tests::client::download(redirect.header("location")).await;
    assert_eq!(file.text(), "page 1\n\u{c}page 2\n");
    assert_eq!(
        charged - account.remaining().await.1,
        3,
        "rotate 1, convert 2"
    );
    let jobs = account.jobs().await;
    assert_eq!(jobs.len(), 2, "internal jobs are not listed");
}

#[tokio::test]
async fn processing_a_page_never_changes_the_current_version() {
    let account = Account::new("starter");
    let mut library = LibraryFixture::open(&account.id).await;
    let (document, first) = add_pdf(&mut library, 250).await;
    let shown = detail(&account, document.as_str()).await;
    let page = shown["versions"][0]["pages"][1]["id"].as_str().unwrap();
    let target = format!("{document}/pages/{page}");
    let body = json!({"operation": "convert", "format": "pdf"});
    let response = process(&account, &target, &body, None).await;
    assert_eq!(response.status, 202, "{}", response.text());
    let created = response.json();
    assert_eq!(created["pageId"], page);
    assert_eq!(created["versionId"], first.as_str());
    let job = account.client.wait(&job_id(&created)).await;
    assert_eq!(
        (&job["status"], &job["output"]["pages"]),
        (&json!("completed"), &json!(1)),
        "{job}"
    );
    let after = detail(&account, document.as_str()).await;
    assert_eq!(after["document"]["currentVersionId"], first.as_str());
    assert_eq!(after["versions"][0]["pageCount"], 1);
}

#[tokio::test]
async fn a_replay_returns_the_same_job_and_charges_nothing() {
    let account = Account::new("starter");
    let mut library = LibraryFixture::open(&account.id).await;
    let (document, _) = add_pdf(&mut library, 1).await;
    let key = unique("process");
    let first = process(&account, document.as_str(), &rotate_body(), Some(&key)).await;
    assert_eq!(first.status, 202, "{}", first.text());
    let again = process(&account, document.as_str(), &rotate_body(), Some(&key)).await;
    assert_eq!(again.status, 200, "{}", again.text());
    assert_eq!(again.header("idempotency-replayed"), "true");
    assert_eq!(again.json()["jobId"], first.json()["jobId"]);
    assert_eq!(again.json()["created"], false);
    let body = json!({"operation": "convert", "format": "txt"});
    let other = process(&account, document.as_str(), &body, Some(&key)).await;
    assert_error(&other, 422, "idempotency_key_reused", &[]);
    assert_eq!(account.remaining().await.1, 1_999, "charged once");
}

#[tokio::test]
async fn missing_content_is_rejected_before_charging() {
    let account = Account::new("starter");
    let mut library = LibraryFixture::open(&account.id).await;
    let (document, version) = add_pdf(&mut library, 2).await;
    let shown = detail(&account, document.as_str()).await;
    let page = shown["versions"][0]["pages"][0]["id"].as_str().unwrap();
    let object = version_object(&library.account, &document, &version);
    library.services.discard(&object).await.unwrap();
    let before = account.remaining().await;
    let response = process(&account, document.as_str(), &rotate_body(), None).await;
    assert_error(&response, 409, "no_current_version", &[]);
    let target = format!("{document}/pages/{page}");
    let response = process(&account, &target, &rotate_body(), None).await;
    assert_error(&response, 409, "page_source_unavailable", &[]);
    assert_eq!(account.remaining().await, before);
}

#[tokio::test]
async fn a_foreign_document_is_not_found() {
    let (own, other) = (Account::new("business"), Account::new("business"));
    let foreign = LibraryFixture::open(&other.id).await.add("a.pdf").await;
    let shown = detail(&other, foreign.as_str()).await;
    let page = shown["versions"][0]["pages"][0]["id"].as_str().unwrap();
    for rest in [String::new(), format!("/pages/{page}")] {
        let mut bodies = Vec::new();
        for id in [foreign.as_str(), "doc_01arz3ndektsv4rrffq69g5fav", "junk"] {
            let response = process(&own, &format!("{id}{rest}"), &rotate_body(), None).await;
            assert_error(&response, 404, "document_not_found", &[]);
            bodies.push(without_request_id(&response));
        }
        bodies.dedup();
        assert_eq!(bodies.len(), 1, "{bodies:?}");
    }
}

/// Concurrent jobs, changes and deletion of one document leave no data of it.
#[tokio::test]
async fn processing_a_deleted_document_leaves_nothing() {
    let account = Account::new("business");
    let mut library = LibraryFixture::open(&account.id).await;
    let (document, version) = add_pdf(&mut library, 3).await;
    let path = format!("/documents/{document}");
    let mut jobs = Vec::new();
    for _ in 0..4 {
        let response = process(&account, document.as_str(), &rotate_body(), None).await;
        assert_eq!(response.status, 202, "{}", response.text());
        jobs.push(job_id(&response.json()));
    }
    let removed = account.client.send("DELETE", &path, &[], None).await;
    assert_eq!(removed.status, 204);
    for job in jobs {
        let job = account.client.wait(&job).await;
        // Jobs that had not started fail, because their source is missing.
        assert!(
            job["status"] == "completed" || job["error"]["code"] == "source_missing",
            "{job}"
        );
    }
    let object = version_object(&library.account, &document, &version);
    assert_eq!(library.services.metadata(&object).await.unwrap(), None);
    assert_eq!(
        library.pending_cleanup_count(&[&document]).await,
        0,
        "nothing is due yet"
    );
    assert_error(
        &account.client.get(&path).await,
        404,
        "document_not_found",
        &[],
    );
}

#[tokio::test]
async fn pages_of_an_import_are_inspected_without_charge() {
    let account = Account::new("starter");
    let host = TrustedHost::serve(|path| match path {
        "/broken.pdf" => StubResponse::ok("application/pdf", "%PDF-1.7 and nothing else"),
        _ => StubResponse::ok("application/pdf", documents::pdf(120, 200, 100)),
    })
    .await;
    let mut imported = Vec::new();
    for name in ["/long.pdf", "/broken.pdf"] {
        let body = json!({"url": TrustedHost::url(name)});
        let response = account.client.post("/documents/import", &[], &body).await;
        assert_eq!(response.status, 201, "{}", response.text());
        imported.push(response.json()["documentId"].as_str().unwrap().to_owned());
    }
    drop(host);
    let deadline = Instant::now() + Duration::from_secs(120);
    let known = loop {
        let shown = detail(&account, &imported[0]).await;
        if shown["versions"][0]["pageCount"] != Value::Null {
            break shown;
        }
        assert!(Instant::now() < deadline, "not inspected in time: {shown}");
        tokio::time::sleep(Duration::from_millis(500)).await;
    };
    let version = &known["versions"][0];
    assert_eq!(version["pageCount"], 120);
    let pages = version["pages"].as_array().unwrap();
    assert_eq!(pages.len(), 100);
    assert_eq!(
        (&pages[99]["width"], &pages[99]["height"]),
        (&json!(200.0), &json!(100.0))
    );
    let path = format!(
        "/documents/{}/versions/{}/pages",
        imported[0],
        version["id"].as_str().unwrap()
    );
    let first = account
        .client
        .get(&format!("{path}?limit=100"))
        .await
        .json();
    assert_eq!(first["pages"], version["pages"]);
    let cursor = first["nextCursor"].as_str().unwrap();
    let next = format!("{path}?limit=100&cursor={cursor}");
    let rest = account.client.get(&next).await.json();
    assert_eq!(rest["pages"].as_array().unwrap().len(), 20);
    assert_eq!(
        (&rest["pages"][19]["number"], &rest["pages"][19]["width"]),
        (&json!(120), &json!(200.0))
    );
    let broken = detail(&account, &imported[1]).await;
    assert_eq!(broken["versions"][0]["pageCount"], Value::Null);
    assert_eq!(account.jobs().await, Vec::<String>::new());
    assert_eq!(account.remaining().await.1, 1_998, "two imports");
}

/// Run alone, because the wire log counts the requests of the whole stack.
mod alone {
    use tests::wire::{assert_at_most, during};

    use super::*;

    #[tokio::test]
    async fn a_document_job_makes_few_aws_requests() {
        let account = Account::new("business");
        let mut library = LibraryFixture::open(&account.id).await;
        let (document, _) = add_pdf(&mut library, 2).await;
        let shown = detail(&account, document.as_str()).await;
        let page = shown["versions"][0]["pages"][0]["id"].as_str().unwrap();
        for (target, tables) in [
            (document.to_string(), 3),
            (format!("{document}/pages/{page}"), 4),
        ] {
            // Warms up the function, which reads its secret at a cold start.
            process(&account, "junk", &rotate_body(), None).await;
            let body = rotate_body();
            let job = process(&account, &target, &body, None);
            let (response, requests) = during("documents", job).await;
            assert_eq!(response.status, 202, "{}", response.text());
            let most = [("dynamodb", tables), ("s3", 1), ("sqs", 1)];
            assert_at_most(&requests, &most, &target);
            account.client.wait(&job_id(&response.json())).await;
        }
    }
}
