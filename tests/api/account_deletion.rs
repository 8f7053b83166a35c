//! An account that the operator deletes leaves nothing: no row of any table and no object names it, nor its jobs,
//! documents and uploads.

use domain::library::Removal;
use domain::plan::Plan;
use domain::ports::{Library, Objects};
use domain::source::version_object;
use serde_json::{Value, json};
use tests::client::{Client, unique};
use tests::shelf::Shelf;
use tests::stack::{admin, stack, try_admin};

use crate::account::{Account, job_id};
use crate::refusal::assert_refused;
use crate::storage;
use crate::tokens::token;

/// How many rows of all tables, and how many objects, say one of these names.
async fn named(names: &[String]) -> (usize, usize) {
    let says = |text: &String| names.iter().any(|name| text.contains(name.as_str()));
    let mut found = 0;
    for table in stack().resources.tables.keys() {
        let rows = storage::rows(table).await.into_iter();
        found += rows.filter(|row| says(&format!("{row:?}"))).count();
    }
    let objects = storage::objects("").await;
    (found, objects.iter().filter(|name| says(name)).count())
}

/// Leaves everything that an account can leave, and names it.
async fn leave_everything(account: &Account) -> Vec<String> {
    let mut names = vec![account.id.clone(), account.key[4..20].to_owned()];
    names.push(account.new_key(&[]).0);
    let signed_in = Client::with_key(Some(&token(&account.id)));
    assert_eq!(signed_in.get("/usage").await.status, 200);

    // A job that has ended, with its result, and an upload, both under idempotency keys.
    let ended = account.ended(&account.conversion().await).await;
    names.push(job_id(&ended));
    let body = json!({"filename": "a.txt", "contentType": "text/plain", "sizeBytes": 3});
    let headers = [("idempotency-key", unique("upload"))];
    let headers = headers.each_ref().map(|(name, key)| (*name, key.as_str()));
    let grant = account.client.post("/files/upload", &headers, &body).await;
    let source = grant.json()["sourceKey"].as_str().unwrap().to_owned();
    names.push(source);

    // A document with words and content, one that was deleted a moment ago, an import that nobody ends.
    let mut shelf = Shelf::of(&account.id).await;
    let kept = shelf
        .put_with_words("kept.pdf", "erasure leaves nothing")
        .await;
    let version = domain::library::Import::first_version(&kept).unwrap();
    let object = version_object(&shelf.account, &kept, &version);
    let content = tempfile::NamedTempFile::new().unwrap();
    let stored = shelf
        .services
        .store(content.path(), &object, "application/pdf");
    stored.await.unwrap();
    let deleted = shelf
        .put_with_words("deleted.pdf", "erasure leaves nothing")
        .await;
    let removal = Removal {
        account_id: shelf.account.clone(),
        document_id: deleted.clone(),
        removed_at: std::time::SystemTime::now().into(),
    };
    assert!(shelf.services.remove_document(&removal).await.unwrap());
    let running = shelf.begin(Plan::Business).await;
    names.extend([kept, deleted, running.document_id].map(|id| id.to_string()));
    names
}

#[tokio::test]
async fn nothing_of_a_deleted_account_is_left() {
    let account = Account::new("pro");
    account.set_used(3, 4);
    let names = leave_everything(&account).await;
    let (rows, objects) = named(&names).await;
    assert!(rows > 20 && objects >= 3, "{rows} rows, {objects} objects");

    let other = Account::new("free");
    let theirs = other.ended(&other.conversion().await).await;
    let answer = admin(&["account", "delete", &account.id]);
    assert_eq!(answer["accountId"], account.id);
    let counts = [
        "credentials",
        "jobs",
        "imports",
        "uploads",
        "documents",
        "objects",
    ];
    let erased = counts.map(|name| answer["erased"][name].as_u64().unwrap());
    assert!(erased.iter().all(|count| *count > 0), "{answer}");
    assert_eq!(named(&names).await, (0, 0), "{answer}");

    let refused = account.client.get("/usage").await;
    assert_refused(&refused, 401, "invalid_api_key", &[]);
    let nothing = try_admin(&["account", "delete", &account.id]).unwrap_err();
    let expected = format!("octavo-admin: there is no account {}\n", account.id);
    assert_eq!(nothing, expected);
    let path = format!("/jobs/{}", job_id(&theirs));
    let job: Value = other.client.get(&path).await.json();
    assert_eq!(job["status"], "completed", "another account's");
}
