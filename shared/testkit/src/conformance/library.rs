//! The document library.

mod events;
mod importing;
mod removing;
mod searching;
mod versions;

use std::time::Duration;

use domain::account::Account;
use domain::library::{Document, DocumentStatus, Filter, Removal, SearchText, Version, list};
use domain::plan::Plan;
use domain::timestamp::Timestamp;

use super::stored_account;
use crate::environment::{Environment, Ports};
use crate::sample;

/// More documents of maximum size than fit in one query page.
const MANY: usize = 700;

/// Documents are imported, listed, searched, changed and removed.
pub async fn library<P: Ports, W: Environment>(ports: &P, env: &W) {
    importing::an_import_is_charged_once_and_finished_once(ports, env).await;
    importing::an_abandoned_import_is_refunded_once_and_frees_its_key(ports, env).await;
    importing::an_exhausted_quota_rejects_imports(ports, env).await;
    a_document_is_visible_to_its_owner_only(ports, env).await;
    a_change_is_applied_to_its_revision_only(ports, env).await;
    pages_omit_and_repeat_nothing(ports, env).await;
    a_filter_examines_a_bounded_number(ports, env).await;
    searching::words_find_their_documents(ports, env).await;
    searching::new_words_replace_old_ones(ports, env).await;
    searching::pages_of_a_search_omit_and_repeat_nothing(ports, env).await;
    removing::all_data_of_a_removed_document_is_purged(ports, env).await;
    removing::data_written_late_is_purged_in_the_final_pass(ports, env).await;
    events::an_import_and_a_removal_have_events(ports, env).await;
    events::a_rejected_change_has_no_event(ports, env).await;
    versions::a_version_is_created_when_its_job_completes(ports, env).await;
    versions::an_outcome_computed_from_an_older_document_is_rejected(ports, env).await;
    versions::no_version_is_added_to_a_deleted_document(ports, env).await;
    versions::pages_are_recorded(ports, env).await;
    versions::words_of_several_pages_are_added(ports, env).await;
    versions::attached_objects_of_a_version_are_read_and_removed(ports, env).await;
}

/// A document that was imported at `now`.
async fn imported<P: Ports, W: Environment>(
    ports: &P,
    env: &W,
    account: &Account,
    filename: &str,
    now: Timestamp,
) -> (Document, Version) {
    imported_as(ports, env, account, filename, now, |_| ()).await
}

/// An imported document, modified by `change`.
async fn imported_as<P: Ports, W: Environment>(
    ports: &P,
    env: &W,
    account: &Account,
    filename: &str,
    now: Timestamp,
    change: impl FnOnce(&mut Document),
) -> (Document, Version) {
    let start = sample::library::import(env, account, None, now);
    ports.start_import(&start).await.unwrap();
    let (mut document, version) = sample::library::imported_document(&start.import, filename);
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

async fn a_document_is_visible_to_its_owner_only<P: Ports, W: Environment>(ports: &P, env: &W) {
    let owner = stored_account(ports, env, Plan::Business).await;
    let stranger = stored_account(ports, env, Plan::Business).await;
    let (document, version) = imported(ports, env, &owner, "a.pdf", env.now()).await;
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

async fn a_change_is_applied_to_its_revision_only<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = stored_account(ports, env, Plan::Business).await;
    let (document, _) = imported(ports, env, &account, "a.pdf", env.now()).await;
    let mut changed = document.clone();
    (changed.revision, changed.tags) = (2, vec!["tax".to_owned()]);
    assert!(ports.replace_document(&changed, 1).await.unwrap());
    let mut late = document.clone();
    (late.revision, late.folder_id) = (2, "late".to_owned());
    assert!(!ports.replace_document(&late, 1).await.unwrap());
    let stored = ports.document(&account.id, &document.id).await.unwrap();
    assert_eq!(stored, Some(changed));
    let removal = removal(&document, env.now());
    assert!(ports.remove_document(&removal).await.unwrap());
    assert!(!ports.replace_document(&late, 2).await.unwrap());
    assert_eq!(
        ports.document(&account.id, &document.id).await.unwrap(),
        None
    );
}

async fn pages_omit_and_repeat_nothing<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = stored_account(ports, env, Plan::Business).await;
    let start = env.now();
    let mut newest_first = Vec::new();
    for number in 0..60 {
        let now = start.plus(Duration::from_millis(number));
        newest_first.insert(0, imported(ports, env, &account, "a.pdf", now).await.0);
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
        // Between pages, one document is added and one is removed: the last of this page or one of a later page.
        let now = start.plus(Duration::from_secs(10 + page));
        imported(ports, env, &account, "new.pdf", now).await;
        let gone = match page {
            0 => seen.last().unwrap().clone(),
            _ => newest_first.pop().unwrap(),
        };
        let removal = removal(&gone, now);
        assert!(ports.remove_document(&removal).await.unwrap());
    }
    assert_eq!(
        seen, newest_first,
        "documents that exist all the time, once each"
    );
    assert_eq!(
        sizes.iter().rev().skip(1).max(),
        sizes.iter().rev().skip(1).min()
    );
}

async fn a_filter_examines_a_bounded_number<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = stored_account(ports, env, Plan::Business).await;
    let tags: Vec<String> = (0..50).map(|n| format!("{n:0>50}")).collect();
    let start = env.now();
    let mut wanted = Vec::new();
    for number in 0..MANY {
        let now = start.plus(Duration::from_millis(number as u64));
        let rare = number % 100 == 0;
        let name = if rare { "Straße.pdf" } else { "other.pdf" };
        let (document, _) = imported_as(ports, env, &account, name, now, |document| {
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
    let name = SearchText::new("STRASSE");
    let all = Filter::default();
    let listed = list(ports, &account.id, &all, name.as_ref(), None, 50).await;
    let listed = listed.unwrap();
    assert_eq!(listed.documents, wanted, "archived documents are filtered");
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
