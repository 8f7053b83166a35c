//! Removals: a document disappears at once, and nothing of it stays.

use std::time::Duration;

use domain::filename::Filename;
use domain::library::{Document, Removal, Words};
use domain::plan::Plan;
use domain::ports::Chore;
use domain::source::{document_objects, version_object};
use domain::timestamp::Timestamp;

use super::{imported, removal};
use crate::conformance::customer;
use crate::world::{Ports, World};

/// Whether `sweep` finds the removal at `now`.
async fn waits<P: Ports>(ports: &P, removal: &Removal, now: Timestamp) -> bool {
    let shard = domain::library::shard(&removal.document_id);
    let mut after = None;
    loop {
        let page = ports.chores(shard, now, after.as_ref(), 50).await.unwrap();
        if page.chores.contains(&Chore::Removal(removal.clone())) {
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

async fn status<P: Ports, W: World>(ports: &P, world: &W, object: &str) -> u16 {
    let name = Filename::try_from("a.pdf".to_owned()).unwrap();
    let url = ports.download_url(object, "application/pdf", &name).await;
    world.get(&url.unwrap()).await.status
}

async fn posted<P: Ports>(ports: &P, document: &Document, word: &str) -> usize {
    let postings = ports.postings(&document.account_id, word, None, 10).await;
    postings.unwrap().postings.len()
}

pub(super) async fn a_removed_document_leaves_nothing<P: Ports, W: World>(ports: &P, world: &W) {
    let account = customer(ports, world, Plan::Business).await;
    let now = world.now();
    let (document, version) = imported(ports, world, &account, "a.pdf", now).await;
    let (other, of_other) = imported(ports, world, &account, "b.pdf", now).await;
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
    let beside = format!("{}pages.json", document_objects(&account.id, &document.id));
    let stays = version_object(&account.id, &other.id, &of_other.id);
    for object in [&object, &beside, &stays] {
        keep(ports, object).await;
    }
    assert_eq!(status(ports, world, &object).await, 200);
    let removal = removal(&document, now);
    assert!(ports.remove_document(&removal).await.unwrap());
    assert!(!ports.remove_document(&removal).await.unwrap());
    assert_eq!(
        ports.document(&account.id, &document.id).await.unwrap(),
        None
    );
    let version_of = ports.version(&account.id, &document.id, &version.id);
    assert_eq!(version_of.await.unwrap(), None);
    assert!(waits(ports, &removal, now.plus(Removal::FIRST_ROUND)).await);

    ports.purge(&removal, false).await.unwrap();
    assert_eq!(ports.versions(&document.id, 20).await.unwrap(), []);
    assert_eq!(posted(ports, &document, "alpha").await, 1, "the other's");
    for gone in [&object, &beside] {
        assert_eq!(status(ports, world, gone).await, 404);
    }
    assert_eq!(status(ports, world, &stays).await, 200);
    assert!(!waits(ports, &removal, now.plus(Removal::FIRST_ROUND)).await);
    let last = now.plus(Removal::LATECOMERS);
    assert!(waits(ports, &removal, last).await);
    ports.purge(&removal, true).await.unwrap();
    assert!(!waits(ports, &removal, last.plus(Duration::from_secs(9))).await);
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

pub(super) async fn what_is_late_is_removed_in_the_second_round<P: Ports, W: World>(
    ports: &P,
    world: &W,
) {
    let account = customer(ports, world, Plan::Business).await;
    let now = world.now();
    let (document, version) = imported(ports, world, &account, "a.pdf", now).await;
    let removal = removal(&document, now);
    assert!(ports.remove_document(&removal).await.unwrap());
    ports.purge(&removal, false).await.unwrap();
    let late = version_object(&account.id, &document.id, &version.id);
    keep(ports, &late).await;
    let words = Words::of("gamma");
    let indexed = ports.index_words(&account.id, &document.id, &words);
    assert!(!indexed.await.unwrap());
    assert_eq!(posted(ports, &document, "gamma").await, 0);
    ports.purge(&removal, true).await.unwrap();
    assert_eq!(status(ports, world, &late).await, 404);
}
