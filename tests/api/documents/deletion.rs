//! Changes and deletions of documents.

use std::time::{Duration, Instant, SystemTime};

use domain::filename::Filename;
use domain::library::Removal;
use domain::plan::Plan;
use domain::ports::{Library, Objects};
use domain::source::version_object;
use serde_json::{Value, json};

use crate::account::Account;
use crate::problem::{assert_error, without_request_id};
use tests::library_fixture::LibraryFixture;

async fn patch(account: &Account, path: &str, body: &Value) -> tests::client::Response {
    let headers = [("content-type", "application/json")];
    let body = body.to_string().into_bytes();
    account
        .client
        .send("PATCH", path, &headers, Some(body))
        .await
}

#[tokio::test]
async fn concurrent_changes_are_all_kept() {
    let account = Account::new("business");
    let mut library = LibraryFixture::open(&account.id).await;
    let path = format!("/documents/{}", library.add("a.pdf").await);
    let tags = json!({"tags": [" Tax "]});
    let folder = json!({"folderId": "f", "groupId": "g"});
    let name = json!({"filename": "b.pdf"});
    let all = tokio::join!(
        patch(&account, &path, &tags),
        patch(&account, &path, &folder),
        patch(&account, &path, &name),
    );
    for response in [all.0, all.1, all.2] {
        assert_eq!(response.status, 200, "{}", response.text());
    }
    let document = account.client.get(&path).await.json()["document"].clone();
    assert_eq!(document["tags"], json!(["tax"]));
    assert_eq!(
        (&document["folderId"], &document["groupId"]),
        (&json!("f"), &json!("g"))
    );
    assert_eq!(document["filename"], "b.pdf");
    for wrong in [
        json!({"source": "app"}),
        json!({"status": "error"}),
        json!({"tags": null}),
    ] {
        let response = patch(&account, &path, &wrong).await;
        assert_eq!(response.problem(), (400, "invalid_request".to_owned()));
    }
}

#[tokio::test]
async fn concurrent_changes_and_deletions_leave_nothing() {
    let account = Account::new("business");
    let mut library = LibraryFixture::open(&account.id).await;
    for round in 0..5 {
        let id = library.add("a.pdf").await;
        let path = format!("/documents/{id}");
        let tags = json!({"tags": [format!("t{round}")]});
        let remove = || account.client.send("DELETE", &path, &[], None);
        let all = tokio::join!(patch(&account, &path, &tags), remove(), remove());
        assert!([200, 404].contains(&all.0.status), "{}", all.0.text());
        let mut removed = [all.1.status, all.2.status];
        removed.sort_unstable();
        assert_eq!(removed, [204, 404]);
        assert_error(
            &account.client.get(&path).await,
            404,
            "document_not_found",
            &[],
        );
        assert_eq!(library.services.versions(&id, 20).await.unwrap(), []);
    }
    let list = account.client.get("/documents").await.json();
    assert_eq!(list["count"], 0);
}

#[tokio::test]
async fn a_foreign_document_is_not_found() {
    let (own, other) = (Account::new("business"), Account::new("business"));
    let foreign = LibraryFixture::open(&other.id).await.add("a.pdf").await;
    let detail = other
        .client
        .get(&format!("/documents/{foreign}"))
        .await
        .json();
    let version = detail["versions"][0]["id"].as_str().unwrap();
    for (method, rest) in [
        ("GET", String::new()),
        ("DELETE", String::new()),
        ("GET", "/download".to_owned()),
        ("GET", format!("/versions/{version}/download")),
        ("GET", format!("/versions/{version}/pages")),
    ] {
        let mut bodies = Vec::new();
        for id in [
            foreign.as_str(),
            "doc_01arz3ndektsv4rrffq69g5fav",
            "junk",
            "a%20b",
        ] {
            let path = format!("/documents/{id}{rest}");
            let response = own.client.send(method, &path, &[], None).await;
            assert_error(&response, 404, "document_not_found", &[]);
            bodies.push(without_request_id(&response));
        }
        bodies.dedup();
        assert_eq!(bodies.len(), 1, "{method} {rest}: {bodies:?}");
    }
    assert_eq!(
        other.client.get("/documents").await.json()["count"],
        1,
        "untouched"
    );
}

/// Time for the test to store its objects before `sweep` may abandon the import and finish the deletion.
const SOON: Duration = Duration::from_secs(20);

/// An import of a killed function, and an object that was written after the deletion of its document.
#[tokio::test]
async fn sweep_finishes_abandoned_imports_and_deletions() {
    let account = Account::new("starter");
    let mut library = LibraryFixture::open(&account.id).await;
    let left = library.start_import(Plan::Starter, SOON).await;
    assert_eq!(
        account.remaining().await.1,
        1_999,
        "charged for the unfinished import"
    );
    let document = library.add("a.pdf").await;
    let removal = Removal {
        account_id: library.account.clone(),
        document_id: document.clone(),
        // The second pass of `sweep` is due soon.
        removed_at: (SystemTime::now() + SOON - Removal::MAX_FUNCTION_TIME).into(),
    };
    assert!(library.services.remove_document(&removal).await.unwrap());
    let mut objects = Vec::new();
    for id in [&left.document_id, &document] {
        let object = version_object(&library.account, id, &left.version_id);
        let file = tempfile::NamedTempFile::new().unwrap();
        library
            .services
            .store(file.path(), &object, "application/pdf")
            .await
            .unwrap();
        objects.push(object);
    }
    let deadline = Instant::now() + Duration::from_secs(130);
    loop {
        let waiting = library
            .pending_cleanup_count(&[&left.document_id, &document])
            .await;
        if waiting == 0 {
            break;
        }
        assert!(
            Instant::now() < deadline,
            "{waiting} cleanups not finished in time"
        );
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    assert_eq!(account.remaining().await.1, 2_000, "refunded");
    let name = Filename::try_from("a.pdf".to_owned()).unwrap();
    for object in objects {
        let url = library
            .services
            .download_url(&object, "application/pdf", &name)
            .await
            .unwrap();
        assert_eq!(
            tests::client::http()
                .build()
                .unwrap()
                .get(url)
                .send()
                .await
                .unwrap()
                .status(),
            404
        );
    }
}
