//! Removals: a document disappears immediately, and all of its data is purged.

use std::time::Duration;

use domain::filename::Filename;
use domain::library::{Document, Removal, Words};
use domain::plan::Plan;
use domain::ports::PendingCleanup;
use domain::source::{document_objects, version_object};
use domain::timestamp::Timestamp;

use super::{imported, removal};
use crate::conformance::stored_account;
use crate::environment::{Environment, Ports};

/// Whether the removal is due for `sweep` at `now`.
async fn is_due<P: Ports>(ports: &P, removal: &Removal, now: Timestamp) -> bool {
    let shard = domain::library::shard(&removal.document_id);
    let mut after = None;
    loop {
        let page = ports
            .pending_cleanups(shard, now, after.as_ref(), 50)
            .await
            .unwrap();
        if page
            .pending_cleanups
            .contains(&PendingCleanup::Removal(removal.clone()))
        {
            return true;
        }
        after = page.next;
        if after.is_none() {
            return false;
        }
    }
}

async fn keep<P: Ports>(ports: &P, object: &str) {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), b"%PDF").unwrap();
    let etag = ports.store(file.path(), object, "application/pdf").await;
    assert!(!etag.unwrap().is_empty());
}

async fn status<P: Ports, W: Environment>(ports: &P, env: &W, object: &str) -> u16 {
    let name = Filename::try_from("a.pdf".to_owned()).unwrap();
    let url = ports.download_url(object, "application/pdf", &name).await;
    env.get(&url.unwrap()).await.status
}

async fn posting_count<P: Ports>(ports: &P, document: &Document, word: &str) -> usize {
    let postings = ports.postings(&document.account_id, word, None, 10).await;
    postings.unwrap().postings.len()
}

pub(super) async fn all_data_of_a_removed_document_is_purged<P: Ports, W: Environment>(
    ports: &P,
    env: &W,
) {
    let account = stored_account(ports, env, Plan::Business).await;
    let now = env.now();
    let (document, version) = imported(ports, env, &account, "a.pdf", now).await;
    let (other, of_other) = imported(ports, env, &account, "b.pdf", now).await;
    let words = Words::of("alpha beta");
    for one in [&document, &other] {
        assert!(
            ports
                .index_words(&account.id, &one.id, &words)
                .await
                .unwrap()
        );
    }
    let object = version_object(&account.id, &document.id, &version.id);
    let attached = format!("{}pages.json", document_objects(&account.id, &document.id));
    let stays = version_object(&account.id, &other.id, &of_other.id);
    for object in [&object, &attached, &stays] {
        keep(ports, object).await;
    }
    assert_eq!(status(ports, env, &object).await, 200);
    let removal = removal(&document, now);
    assert!(ports.remove_document(&removal).await.unwrap());
    assert!(!ports.remove_document(&removal).await.unwrap());
    assert_eq!(
        ports.document(&account.id, &document.id).await.unwrap(),
        None
    );
    let version_of = ports.version(&account.id, &document.id, &version.id);
    assert_eq!(version_of.await.unwrap(), None);
    assert!(is_due(ports, &removal, now.plus(Removal::FIRST_PASS_WITHIN)).await);

    ports.purge(&removal, false).await.unwrap();
    assert_eq!(ports.versions(&document.id, 20).await.unwrap(), []);
    assert_eq!(
        posting_count(ports, &document, "alpha").await,
        1,
        "the postings of the other document"
    );
    for gone in [&object, &attached] {
        assert_eq!(status(ports, env, gone).await, 404);
    }
    assert_eq!(status(ports, env, &stays).await, 200);
    assert!(!is_due(ports, &removal, now.plus(Removal::FIRST_PASS_WITHIN)).await);
    let last = now.plus(Removal::MAX_FUNCTION_TIME);
    assert!(is_due(ports, &removal, last).await);
    ports.purge(&removal, true).await.unwrap();
    assert!(!is_due(ports, &removal, last.plus(Duration::from_secs(9))).await);
    ports.purge(&removal, true).await.unwrap();
    assert_eq!(
        ports
            .document(&account.id, &other.id)
            .await
            .unwrap()
            .unwrap()
            .id,
        other.id
    );
}

pub(super) async fn data_written_late_is_purged_in_the_final_pass<P: Ports, W: Environment>(
    ports: &P,
    env: &W,
) {
    let account = stored_account(ports, env, Plan::Business).await;
    let now = env.now();
    let (document, version) = imported(ports, env, &account, "a.pdf", now).await;
    let removal = removal(&document, now);
    assert!(ports.remove_document(&removal).await.unwrap());
    ports.purge(&removal, false).await.unwrap();
    let late = version_object(&account.id, &document.id, &version.id);
    keep(ports, &late).await;
    let words = Words::of("gamma");
    let indexed = ports.index_words(&account.id, &document.id, &words);
    assert!(!indexed.await.unwrap());
    assert_eq!(posting_count(ports, &document, "gamma").await, 0);
    ports.purge(&removal, true).await.unwrap();
    assert_eq!(status(ports, env, &late).await, 404);
}
