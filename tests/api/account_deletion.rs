//! Account deletion erases all data: afterwards no row and no object contains an identifier of the account, its jobs,
//! documents or uploads.

use domain::library::Removal;
use domain::plan::Plan;
use domain::ports::{Library, Objects};
use domain::source::version_object;
use serde_json::{Value, json};
use tests::client::{Client, unique};
use tests::library_fixture::LibraryFixture;
use tests::stack::{admin, stack, try_admin};

use crate::account::{Account, job_id};
use crate::problem::assert_error;
use crate::storage;
use crate::tokens::token;

/// Counts the rows of all tables and the objects that contain one of these names.
async fn count_references(names: &[String]) -> (usize, usize) {
    let has_name = |text: &String| names.iter().any(|name| text.contains(name.as_str()));
    let mut found = 0;
    for table in stack().resources.tables.keys() {
        let rows = storage::rows(table).await.into_iter();
        found += rows.filter(|row| has_name(&format!("{row:?}"))).count();
    }
    let objects = storage::objects("").await;
    (found, objects.iter().filter(|name| has_name(name)).count())
}

/// Creates data of each type that an account can have, and returns the identifiers.
async fn create_one_of_everything(account: &Account) -> Vec<String> {
    let mut names = vec![account.id.clone(), account.key[4..20].to_owned()];
    names.push(account.new_key(&[]).0);
    let signed_in = Client::with_key(Some(&token(&account.id)));
    assert_eq!(signed_in.get("/usage").await.status, 200);

    // A finished job with its result, and an upload, both with idempotency keys.
    let ended = account.run_job(&account.conversion_body().await).await;
    names.push(job_id(&ended));
    let body = json!({"filename": "a.txt", "contentType": "text/plain", "sizeBytes": 3});
    let headers = [("idempotency-key", unique("upload"))];
    let headers = headers.each_ref().map(|(name, key)| (*name, key.as_str()));
    let grant = account.client.post("/files/upload", &headers, &body).await;
    let source = grant.json()["sourceKey"].as_str().unwrap().to_owned();
    names.push(source);

    // An indexed document with content, a deleted document, and an unfinished import.
    let mut library = LibraryFixture::open(&account.id).await;
    let kept = library
        .add_with_text("kept.pdf", "erasure leaves nothing")
        .await;
    let version = domain::library::Import::first_version(&kept).unwrap();
    let object = version_object(&library.account, &kept, &version);
    let content = tempfile::NamedTempFile::new().unwrap();
    let stored = library
        .services
        .store(content.path(), &object, "application/pdf");
    stored.await.unwrap();
    let deleted = library
        .add_with_text("deleted.pdf", "erasure leaves nothing")
        .await;
    let removal = Removal {
        account_id: library.account.clone(),
        document_id: deleted.clone(),
        removed_at: std::time::SystemTime::now().into(),
    };
    assert!(library.services.remove_document(&removal).await.unwrap());
    let running = library
        .start_import(Plan::Business, domain::library::Import::LEASE)
        .await;
    names.extend([kept, deleted, running.document_id].map(|id| id.to_string()));
    names
}

#[tokio::test]
async fn deleting_an_account_erases_all_its_data() {
    let account = Account::new("pro");
    account.set_used(3, 4);
    let names = create_one_of_everything(&account).await;
    let (rows, objects) = count_references(&names).await;
    assert!(rows > 20 && objects >= 3, "{rows} rows, {objects} objects");

    let other = Account::new("free");
    let theirs = other.run_job(&other.conversion_body().await).await;
    let response = admin(&["account", "delete", &account.id]);
    assert_eq!(response["accountId"], account.id);
    let counts = [
        "credentials",
        "jobs",
        "imports",
        "uploads",
        "documents",
        "objects",
    ];
    let erased = counts.map(|name| response["erased"][name].as_u64().unwrap());
    assert!(erased.iter().all(|count| *count > 0), "{response}");
    assert_eq!(count_references(&names).await, (0, 0), "{response}");

    let refused = account.client.get("/usage").await;
    assert_error(&refused, 401, "invalid_api_key", &[]);
    let nothing = try_admin(&["account", "delete", &account.id]).unwrap_err();
    let expected = format!("octavo-admin: account {} does not exist\n", account.id);
    assert_eq!(nothing, expected);
    let path = format!("/jobs/{}", job_id(&theirs));
    let job: Value = other.client.get(&path).await.json();
    assert_eq!(job["status"], "completed", "other accounts are unaffected");
}
