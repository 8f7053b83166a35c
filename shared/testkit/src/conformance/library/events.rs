//! Events of documents are written in the transaction of the change.

use domain::event::{Event, Subject};
use domain::id::DocumentId;
use domain::outbox::event_shard;
use domain::plan::Plan;
use domain::ports::{Due, OutboxKey};
use domain::retry::REPUBLISH_AFTER;
use domain::timestamp::Timestamp;

use super::{imported, removal};
use crate::conformance::stored_account;
use crate::environment::{Environment, Ports};
use crate::sample;

/// The events of a document that are due at `now`.
pub(super) async fn events_due<P: Ports>(ports: &P, id: &DocumentId, now: Timestamp) -> Vec<Event> {
    let subject = Subject::Document(id.clone());
    let (mut found, mut after) = (Vec::new(), None);
    loop {
        let page = ports.due(event_shard(&subject), now, after.as_ref(), 1_000);
        let page = page.await.unwrap();
        found.extend(page.rows.into_iter().filter_map(|due| match due {
            Due::Event(event) if event.subject() == subject => Some(event),
            _ => None,
        }));
        match page.next {
            Some(next) => after = Some(next),
            None => return found,
        }
    }
}

pub(super) async fn an_import_and_a_removal_have_events<P: Ports, W: Environment>(
    ports: &P,
    env: &W,
) {
    let account = stored_account(ports, env, Plan::Business).await;
    let now = env.now();
    let due = now.plus(REPUBLISH_AFTER);
    let (document, version) = imported(ports, env, &account, "a.pdf", now).await;
    let imported = Event::of_import(&version);
    let id = &document.id;
    let early = Timestamp(due.milliseconds() - 1);
    assert_eq!(events_due(ports, id, early).await, []);
    let waiting = events_due(ports, id, due).await;
    assert_eq!(waiting, std::slice::from_ref(&imported));
    let row = OutboxKey::Event(imported.subject(), imported.id);
    ports.remove(&[row]).await.unwrap();
    assert_eq!(events_due(ports, id, due).await, []);
    let removal = removal(&document, now);
    assert!(ports.remove_document(&removal).await.unwrap());
    let deleted = [Event::of_removal(&removal)];
    assert_eq!(events_due(ports, id, due).await, deleted);
    ports.erase_events(id).await.unwrap();
    assert_eq!(events_due(ports, id, due).await, []);
}

pub(super) async fn a_rejected_change_has_no_event<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = stored_account(ports, env, Plan::Business).await;
    let now = env.now();
    let due = now.plus(REPUBLISH_AFTER);
    let start = sample::library::import(env, &account, None, now);
    ports.start_import(&start).await.unwrap();
    let import = &start.import;
    assert!(ports.abandon_import(import, now).await.unwrap());
    let (document, version) = sample::library::imported_document(import, "a.pdf");
    let finished = ports.finish_import(import, &document, &version, None);
    assert!(!finished.await.unwrap());
    let removal = removal(&document, now);
    assert!(!ports.remove_document(&removal).await.unwrap());
    assert_eq!(events_due(ports, &document.id, due).await, []);
}
