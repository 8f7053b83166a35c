//! The library of saved documents.

mod importing;
mod removing;
mod searching;
mod telling;
mod versions;

use std::time::Duration;

use domain::account::Account;
use domain::library::{Document, DocumentStatus, Filter, Needle, Removal, Version, list};
use domain::plan::Plan;
use domain::timestamp::Timestamp;

use super::customer;
use crate::sample;
use crate::world::{Ports, World};

/// More than fit one answer of the store, as large as slim records get.
const MANY: usize = 700;

/// Saved documents: imported, listed, searched, changed and removed.
pub async fn library<P: Ports, W: World>(ports: &P, world: &W) {
    importing::an_import_is_charged_once_and_finished_once(ports, world).await;
    importing::a_failed_import_is_given_back_once_and_frees_its_key(ports, world).await;
    importing::a_spent_plan_imports_nothing(ports, world).await;
    a_document_is_seen_by_its_owner_alone(ports, world).await;
    a_change_holds_for_its_revision_alone(ports, world).await;
    pages_lose_and_repeat_nothing(ports, world).await;
    a_filter_examines_a_bounded_number(ports, world).await;
    searching::words_find_their_documents(ports, world).await;
    searching::other_words_take_the_place_of_earlier_ones(ports, world).await;
    searching::pages_of_a_search_lose_and_repeat_nothing(ports, world).await;
    removing::a_removed_document_leaves_nothing(ports, world).await;
    removing::what_is_late_is_removed_in_the_second_round(ports, world).await;
    telling::an_import_and_a_removal_are_told(ports, world).await;
    telling::what_does_not_happen_is_not_told(ports, world).await;
    versions::a_version_comes_with_the_ending_of_its_job(ports, world).await;
    versions::an_ending_made_from_an_older_document_is_made_anew(ports, world).await;
    versions::nothing_comes_to_a_document_that_is_gone(ports, world).await;
    versions::pages_become_known(ports, world).await;
    versions::words_of_pages_come_to_each_other(ports, world).await;
    versions::objects_beside_a_version_are_read_and_removed(ports, world).await;
}

/// A document that was imported at `now`.
async fn imported<P: Ports, W: World>(
    ports: &P,
    world: &W,
    account: &Account,
    filename: &str,
    now: Timestamp,
) -> (Document, Version) {
    imported_as(ports, world, account, filename, now, |_| ()).await
}

/// The same, with its record as `change` makes it.
async fn imported_as<P: Ports, W: World>(
    ports: &P,
    world: &W,
    account: &Account,
    filename: &str,
    now: Timestamp,
    change: impl FnOnce(&mut Document),
) -> (Document, Version) {
    let start = sample::library::import(world, account, None, now);
    ports.begin_import(&start).await.unwrap();
    let (mut document, version) = sample::library::brought(&start.import, filename);
    change(&mut document);
    let finished = ports.finish_import(&start.import, &document, &version, None);
    assert!(finished.await.unwrap());
    (document, version)
}

fn removal(document: &Document, now: Timestamp) -> Removal {
    Removal {
        account_id: document.account_id.clone(),
        document_id: document.id.clone(),
        removed_at: now,
    }
}

async fn a_document_is_seen_by_its_owner_alone<P: Ports, W: World>(ports: &P, world: &W) {
    let owner = customer(ports, world, Plan::Business).await;
    let stranger = customer(ports, world, Plan::Business).await;
    let (document, version) = imported(ports, world, &owner, "a.pdf", world.now()).await;
    let (id, first) = (&document.id, &version.id);
    assert_eq!(
        ports.document(&owner.id, id).await.unwrap(),
        Some(document.clone())
    );
    assert_eq!(ports.document(&stranger.id, id).await.unwrap(), None);
    let both = Some((document.clone(), version.clone()));
    assert_eq!(ports.version(&owner.id, id, first).await.unwrap(), both);
    assert_eq!(ports.version(&stranger.id, id, first).await.unwrap(), None);
    assert_eq!(ports.versions(id, 20).await.unwrap(), [version]);
    let of_stranger = ports.documents(&stranger.id, None, 10).await.unwrap();
    assert_eq!((of_stranger.documents.len(), of_stranger.more), (0, false));
}

async fn a_change_holds_for_its_revision_alone<P: Ports, W: World>(ports: &P, world: &W) {
    let account = customer(ports, world, Plan::Business).await;
    let (document, _) = imported(ports, world, &account, "a.pdf", world.now()).await;
    let mut changed = document.clone();
    (changed.revision, changed.tags) = (2, vec!["tax".to_owned()]);
    assert!(ports.replace_document(&changed, 1).await.unwrap());
    let mut late = document.clone();
    (late.revision, late.folder_id) = (2, "late".to_owned());
    assert!(!ports.replace_document(&late, 1).await.unwrap());
    let stored = ports.document(&account.id, &document.id).await.unwrap();
    assert_eq!(stored, Some(changed));
    let removal = removal(&document, world.now());
    assert!(ports.remove_document(&removal).await.unwrap());
    assert!(!ports.replace_document(&late, 2).await.unwrap());
    assert_eq!(
        ports.document(&account.id, &document.id).await.unwrap(),
        None
    );
}

async fn pages_lose_and_repeat_nothing<P: Ports, W: World>(ports: &P, world: &W) {
    let account = customer(ports, world, Plan::Business).await;
    let start = world.now();
    let mut newest_first = Vec::new();
    for number in 0..60 {
        let now = start.plus(Duration::from_millis(number));
        newest_first.insert(0, imported(ports, world, &account, "a.pdf", now).await.0);
    }
    let whole = ports.documents(&account.id, None, 60).await.unwrap();
    assert_eq!(whole.documents, newest_first);
    let filter = Filter::default();
    let (mut seen, mut sizes, mut next) = (Vec::new(), Vec::new(), None);
    for page in 0..20 {
        let listed = list(ports, &account.id, &filter, None, next, 9)
            .await
            .unwrap();
        sizes.push(listed.documents.len());
        seen.extend(listed.documents);
        next = listed.next;
        if next.is_none() {
            break;
        }
        // Meanwhile one is added and one is removed: the very one that the page ended with, or one that is still to come.
        let now = start.plus(Duration::from_secs(10 + page));
        imported(ports, world, &account, "new.pdf", now).await;
        let gone = match page {
            0 => seen.last().unwrap().clone(),
            _ => newest_first.pop().unwrap(),
        };
        let removal = removal(&gone, now);
        assert!(ports.remove_document(&removal).await.unwrap());
    }
    assert_eq!(seen, newest_first, "what was there all the time, once each");
    assert_eq!(
        sizes.iter().rev().skip(1).max(),
        sizes.iter().rev().skip(1).min()
    );
}

async fn a_filter_examines_a_bounded_number<P: Ports, W: World>(ports: &P, world: &W) {
    let account = customer(ports, world, Plan::Business).await;
    let tags: Vec<String> = (0..50).map(|n| format!("{n:0>50}")).collect();
    let start = world.now();
    let mut wanted = Vec::new();
    for number in 0..MANY {
        let now = start.plus(Duration::from_millis(number as u64));
        let rare = number % 100 == 0;
        let name = if rare { "Straße.pdf" } else { "other.pdf" };
        let (document, _) = imported_as(ports, world, &account, name, now, |document| {
            document.tags.clone_from(&tags);
            if number % 200 == 0 {
                document.status = DocumentStatus::Archived;
            }
        })
        .await;
        if rare && document.status != DocumentStatus::Archived {
            wanted.insert(0, document);
        }
    }
    let name = Needle::new("STRASSE");
    let all = Filter::default();
    let listed = list(ports, &account.id, &all, name.as_ref(), None, 50).await;
    let listed = listed.unwrap();
    assert_eq!(listed.documents, wanted, "archived ones are left out");
    assert_eq!((listed.scanned as usize, listed.next), (MANY, None));
    let archived = Filter {
        status: Some(DocumentStatus::Archived),
        ..Filter::default()
    };
    let listed = list(ports, &account.id, &archived, None, None, 2)
        .await
        .unwrap();
    assert_eq!(listed.documents.len(), 2);
    let rest = list(ports, &account.id, &archived, None, listed.next, 50)
        .await
        .unwrap();
    assert_eq!((rest.documents.len(), rest.next), (2, None));
    assert_eq!(listed.scanned + rest.scanned, u32::try_from(MANY).unwrap());
}
