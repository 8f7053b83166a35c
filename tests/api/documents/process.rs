//! Processing of saved documents and their pages: what the jobs leave in the library.

use std::time::{Duration, Instant};

use domain::id::{DocumentId, VersionId};
use domain::ports::Objects;
use domain::source::version_object;
use serde_json::{Value, json};
use tests::client::{Answer, unique};
use tests::documents;
use tests::shelf::Shelf;

use crate::account::{Account, job_id};
use crate::refusal::{anonymous, assert_refused};

pub(super) async fn process(
    account: &Account,
    target: &str,
    body: &Value,
    key: Option<&str>,
) -> Answer {
    let headers: Vec<_> = key
        .map(|key| ("idempotency-key", key))
        .into_iter()
        .collect();
    let path = format!("/documents/{target}/process");
    account.client.post(&path, &headers, body).await
}

pub(super) async fn detail(account: &Account, document: &str) -> Value {
    let answer = account.client.get(&format!("/documents/{document}")).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

/// A document on the shelf whose content is a PDF of so many pages; its record tells of 250.
async fn shelved(shelf: &mut Shelf, pages: usize) -> (DocumentId, VersionId) {
    shelf.put_pdf("Bericht.pdf", pages).await
}

fn rotated() -> Value {
    json!({"operation": "image", "steps": [{"operation": "rotate", "angle": 90}]})
}

#[tokio::test]
async fn an_edit_becomes_current_and_a_rendition_stays_beside_it() {
    let account = Account::new("starter");
    let mut shelf = Shelf::of(&account.id).await;
    let (document, first) = shelved(&mut shelf, 2).await;
    let charged = account.remaining().await.1;

    let answer = process(&account, document.as_str(), &rotated(), None).await;
    assert_eq!(answer.status, 202, "{}", answer.text());
    let created = answer.json();
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
    let answer = process(&account, document.as_str(), &body, None).await;
    let created = answer.json();
    assert_eq!(created["versionId"], new["id"], "the current version");
    let job = account.client.wait(&job_id(&created)).await;
    assert_eq!(job["status"], "completed", "{job}");
    let beside = detail(&account, document.as_str()).await;
    assert_eq!(beside["document"]["versionCount"], 3);
    assert_eq!(beside["document"]["currentVersionId"], new["id"]);
    let text = &beside["versions"][0];
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
    // What these pages say stands beside them, where nobody sees it.
    assert_eq!(file.text(), "\n\u{c}\n");
    assert_eq!(
        charged - account.remaining().await.1,
        3,
        "rotate 1, convert 2"
    );
    let jobs = account.jobs().await;
    assert_eq!(jobs.len(), 2, "what Octavo does for itself is in no list");
}

#[tokio::test]
async fn a_page_is_processed_by_itself_and_is_never_the_whole_document() {
    let account = Account::new("starter");
    let mut shelf = Shelf::of(&account.id).await;
    let (document, first) = shelved(&mut shelf, 250).await;
    let shown = detail(&account, document.as_str()).await;
    let page = shown["versions"][0]["pages"][1]["id"].as_str().unwrap();
    let target = format!("{document}/pages/{page}");
    let body = json!({"operation": "convert", "format": "pdf"});
    let answer = process(&account, &target, &body, None).await;
    assert_eq!(answer.status, 202, "{}", answer.text());
    let created = answer.json();
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
async fn a_replay_answers_the_same_job_and_charges_nothing() {
    let account = Account::new("starter");
    let mut shelf = Shelf::of(&account.id).await;
    let (document, _) = shelved(&mut shelf, 1).await;
    let key = unique("process");
    let first = process(&account, document.as_str(), &rotated(), Some(&key)).await;
    assert_eq!(first.status, 202, "{}", first.text());
    let again = process(&account, document.as_str(), &rotated(), Some(&key)).await;
    assert_eq!(again.status, 200, "{}", again.text());
    assert_eq!(again.header("idempotency-replayed"), "true");
    assert_eq!(again.json()["jobId"], first.json()["jobId"]);
    assert_eq!(again.json()["created"], false);
    let body = json!({"operation": "convert", "format": "txt"});
    let other = process(&account, document.as_str(), &body, Some(&key)).await;
    assert_refused(&other, 422, "idempotency_key_reused", &[]);
    assert_eq!(account.remaining().await.1, 1_999, "the job, once");
}

#[tokio::test]
async fn content_that_is_gone_is_told_before_anything_is_charged() {
    let account = Account::new("starter");
    let mut shelf = Shelf::of(&account.id).await;
    let (document, version) = shelved(&mut shelf, 2).await;
    let shown = detail(&account, document.as_str()).await;
    let page = shown["versions"][0]["pages"][0]["id"].as_str().unwrap();
    let object = version_object(&shelf.account, &document, &version);
    shelf.services.discard(&object).await.unwrap();
    let before = account.remaining().await;
    let answer = process(&account, document.as_str(), &rotated(), None).await;
    assert_refused(&answer, 409, "no_current_version", &[]);
    let target = format!("{document}/pages/{page}");
    let answer = process(&account, &target, &rotated(), None).await;
    assert_refused(&answer, 409, "page_source_unavailable", &[]);
    assert_eq!(account.remaining().await, before);
}

#[tokio::test]
async fn a_foreign_document_is_as_unknown_as_any() {
    let (own, other) = (Account::new("business"), Account::new("business"));
    let foreign = Shelf::of(&other.id).await.put("a.pdf").await;
    let shown = detail(&other, foreign.as_str()).await;
    let page = shown["versions"][0]["pages"][0]["id"].as_str().unwrap();
    for rest in [String::new(), format!("/pages/{page}")] {
        let mut bodies = Vec::new();
        for id in [foreign.as_str(), "doc_01arz3ndektsv4rrffq69g5fav", "junk"] {
            let answer = process(&own, &format!("{id}{rest}"), &rotated(), None).await;
            assert_refused(&answer, 404, "document_not_found", &[]);
            bodies.push(anonymous(&answer));
        }
        bodies.dedup();
        assert_eq!(bodies.len(), 1, "{bodies:?}");
    }
}

/// Jobs, changes and the removal of one document at the same time leave nothing of it.
#[tokio::test]
async fn of_concurrent_processing_and_removal_nothing_stays() {
    let account = Account::new("business");
    let mut shelf = Shelf::of(&account.id).await;
    let (document, version) = shelved(&mut shelf, 3).await;
    let path = format!("/documents/{document}");
    let mut jobs = Vec::new();
    for _ in 0..4 {
        let answer = process(&account, document.as_str(), &rotated(), None).await;
        assert_eq!(answer.status, 202, "{}", answer.text());
        jobs.push(job_id(&answer.json()));
    }
    let removed = account.client.send("DELETE", &path, &[], None).await;
    assert_eq!(removed.status, 204);
    for job in jobs {
        let job = account.client.wait(&job).await;
        // Those that had not begun find no source.
        assert!(
            job["status"] == "completed" || job["error"]["code"] == "source_missing",
            "{job}"
        );
    }
    let object = version_object(&shelf.account, &document, &version);
    assert_eq!(shelf.services.facts(&object).await.unwrap(), None);
    assert_eq!(shelf.waiting(&[&document]).await, 0, "nothing is due yet");
    assert_refused(
        &account.client.get(&path).await,
        404,
        "document_not_found",
        &[],
    );
}

/// Documents that come from the host that the stack may fetch from.
mod urls {
    use tests::trusted_host::{Served, TrustedHost};

    use super::*;

    #[tokio::test]
    async fn the_pages_of_an_import_become_known_for_nothing() {
        let account = Account::new("starter");
        let host = TrustedHost::serve(|path| match path {
            "/broken.pdf" => Served::ok("application/pdf", "%PDF-1.7 and nothing else"),
            _ => Served::ok("application/pdf", documents::pdf(120, 200, 100)),
        })
        .await;
        let mut imported = Vec::new();
        for name in ["/long.pdf", "/broken.pdf"] {
            let body = json!({"url": TrustedHost::url(name)});
            let answer = account.client.post("/documents/import", &[], &body).await;
            assert_eq!(answer.status, 201, "{}", answer.text());
            imported.push(answer.json()["documentId"].as_str().unwrap().to_owned());
        }
        drop(host);
        let deadline = Instant::now() + Duration::from_secs(120);
        let known = loop {
            let shown = detail(&account, &imported[0]).await;
            if shown["versions"][0]["pageCount"] != Value::Null {
                break shown;
            }
            assert!(Instant::now() < deadline, "nobody has looked: {shown}");
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
}

/// Nothing else calls meanwhile.
mod alone {
    use tests::wire::{assert_at_most, during};

    use super::*;

    #[tokio::test]
    async fn a_job_on_a_document_asks_as_seldom_as_can_be() {
        let account = Account::new("business");
        let mut shelf = Shelf::of(&account.id).await;
        let (document, _) = shelved(&mut shelf, 2).await;
        let shown = detail(&account, document.as_str()).await;
        let page = shown["versions"][0]["pages"][0]["id"].as_str().unwrap();
        for (target, tables) in [
            (document.to_string(), 3),
            (format!("{document}/pages/{page}"), 4),
        ] {
            // A function that has just started asks for its secret, too.
            process(&account, "junk", &rotated(), None).await;
            let body = rotated();
            let job = process(&account, &target, &body, None);
            let (answer, asked) = during("documents", job).await;
            assert_eq!(answer.status, 202, "{}", answer.text());
            let most = [("dynamodb", tables), ("s3", 1), ("sqs", 1)];
            assert_at_most(&asked, &most, &target);
            account.client.wait(&job_id(&answer.json())).await;
        }
    }
}
