//! Finishes what was begun in the library of saved documents: imports whose function is gone, removals, and content that
//! never became a version.

use std::time::Instant;

use domain::library::SHARDS;
use domain::ports::{Chore, PortError};
use domain::timestamp::Timestamp;

use crate::{Ports, Tally};

/// How many rows are read at once.
const PAGE: u32 = 100;

/// Deals once with everything in the library that is due at `now`, until there is no more or the deadline is reached.
pub(crate) async fn tidy<P: Ports>(ports: &P, now: Timestamp, deadline: Instant) -> Tally {
    let mut tally = Tally::default();
    for shard in 0..SHARDS {
        tally = tally + tidy_shard(ports, shard, now, deadline).await;
    }
    tally
}

async fn tidy_shard<P: Ports>(ports: &P, shard: u8, now: Timestamp, deadline: Instant) -> Tally {
    let (mut tally, mut position) = (Tally::default(), None);
    while Instant::now() < deadline {
        let page = match ports.chores(shard, now, position.as_ref(), PAGE).await {
            Ok(page) => page,
            Err(error) => {
                tracing::error!(%error, shard, "cannot read what waits in the library");
                tally.failed += 1;
                break;
            }
        };
        if let Some(first) = page.unreadable.first() {
            let rows = page.unreadable.len();
            tracing::error!(shard, rows, first, "rows that this release cannot read");
            tally.failed += rows;
        }
        for chore in page.chores {
            if Instant::now() >= deadline {
                return tally;
            }
            tally = tally + finish(ports, &chore, now).await;
        }
        position = page.next;
        if position.is_none() {
            break;
        }
    }
    tally
}

/// Deals with one row; a failure is logged and counted.
async fn finish<P: Ports>(ports: &P, chore: &Chore, now: Timestamp) -> Tally {
    try_to_finish(ports, chore, now)
        .await
        .unwrap_or_else(|error| {
            tracing::error!(%error, "row not dealt with");
            Tally {
                failed: 1,
                ..Tally::default()
            }
        })
}

async fn try_to_finish<P: Ports>(
    ports: &P,
    chore: &Chore,
    now: Timestamp,
) -> Result<Tally, PortError> {
    let mut tally = Tally::default();
    match chore {
        Chore::Import(import) => {
            if ports.give_up_import(import, now).await? {
                tracing::warn!(document_id = %import.document_id, "import without its function: given back");
                tally.given_up = 1;
            }
        }
        Chore::Removal(removal) => {
            ports.purge(removal, removal.is_final(now)).await?;
            tally.purged = 1;
        }
        Chore::Draft(draft) => {
            ports.drop_draft(draft).await?;
            tracing::warn!(document_id = %draft.document_id, version_id = %draft.version_id, "content that never became a version: removed");
            tally.purged = 1;
        }
    }
    Ok(tally)
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::id::VersionId;
    use domain::library::{Draft, Removal};
    use domain::plan::Plan;
    use domain::ports::{Library as _, Objects as _, Usage as _};
    use domain::source::version_object;
    use std::time::Duration;
    use testkit::{Call, Fakes, Fault, World as _, sample};

    async fn swept(fakes: &Fakes, now: Timestamp) -> Tally {
        tidy(fakes, now, Instant::now() + Duration::from_secs(30)).await
    }

    #[tokio::test]
    async fn an_import_whose_function_is_gone_is_given_back_and_leaves_nothing() {
        let fakes = Fakes::new();
        let account = sample::account(&fakes, Plan::Starter);
        let (key, now) = (sample::fingerprint(&fakes), fakes.now());
        let start = sample::library::import(&fakes, &account, Some(&key), now);
        fakes.begin_import(&start).await.unwrap();
        let import = &start.import;
        let object = version_object(&account.id, &import.document_id, &import.version_id);
        fakes.put_object(&object, "application/pdf", b"%PDF");
        let before = Timestamp(import.lease_until.milliseconds() - 1);
        assert_eq!(swept(&fakes, before).await, Tally::default());
        let done = swept(&fakes, import.lease_until).await;
        assert_eq!((done.given_up, done.failed), (1, 0));
        assert!(!fakes.holds_anything_of(&import.document_id));
        let used = fakes.used(&account.id, now.period()).await.unwrap();
        assert_eq!((used.this_month, fakes.imports_given_back()), (0, 1));
        assert_eq!(swept(&fakes, import.lease_until).await, Tally::default());
    }

    #[tokio::test]
    async fn a_deleted_document_is_purged_twice_whatever_fails_in_between() {
        let fakes = Fakes::new();
        let account = sample::account(&fakes, Plan::Business);
        let now = fakes.now();
        let start = sample::library::import(&fakes, &account, None, now);
        let (document, version) = sample::library::brought(&start.import, "a.pdf");
        let object = version_object(&account.id, &document.id, &version.id);
        fakes.put_object(&object, "application/pdf", b"%PDF");
        fakes.put_document(document.clone(), version);
        let removal = Removal {
            account_id: account.id.clone(),
            document_id: document.id.clone(),
            removed_at: now,
        };
        assert!(fakes.remove_document(&removal).await.unwrap());
        // The function that was asked is gone before it has purged anything.
        let first = now.plus(Removal::FIRST_ROUND);
        fakes.fail(Call::TidyLibrary, Fault::Unavailable, usize::from(SHARDS));
        assert_eq!(swept(&fakes, first).await.failed, usize::from(SHARDS));
        assert_eq!(swept(&fakes, first).await.purged, 1);
        assert!(fakes.object(&object).is_none());
        assert_eq!(swept(&fakes, first).await, Tally::default());
        // Somebody was still at work on it.
        let file = std::env::temp_dir().join(document.id.as_str());
        std::fs::write(&file, b"%PDF").unwrap();
        fakes
            .store(&file, &object, "application/pdf")
            .await
            .unwrap();
        std::fs::remove_file(file).unwrap();
        let last = now.plus(Removal::LATECOMERS);
        assert_eq!(swept(&fakes, last).await.purged, 1);
        assert!(!fakes.holds_anything_of(&document.id));
        fakes.purge(&removal, true).await.unwrap();
        assert_eq!(swept(&fakes, last).await, Tally::default());
    }

    #[tokio::test]
    async fn content_that_never_became_a_version_is_removed_when_nobody_can_be_at_work() {
        let fakes = Fakes::new();
        let account = sample::account(&fakes, Plan::Business);
        let now = fakes.now();
        let start = sample::library::import(&fakes, &account, None, now);
        let (document, version) = sample::library::brought(&start.import, "a.pdf");
        let object = version_object(&account.id, &document.id, &version.id);
        fakes.put_object(&object, "application/pdf", b"%PDF");
        fakes.put_document(document.clone(), version);
        let draft = Draft {
            account_id: account.id.clone(),
            document_id: document.id.clone(),
            version_id: VersionId::mint(now, 7),
            begun_at: now,
        };
        fakes.begin_draft(&draft).await.unwrap();
        fakes.copy(&object, &draft.object()).await.unwrap().unwrap();
        let before = Timestamp(draft.due().milliseconds() - 1);
        assert_eq!(swept(&fakes, before).await, Tally::default());
        assert_eq!(fakes.objects_of(&document.id).len(), 2);
        assert_eq!(swept(&fakes, draft.due()).await.purged, 1);
        assert_eq!(fakes.objects_of(&document.id), [object]);
        assert_eq!(swept(&fakes, draft.due()).await, Tally::default());
    }
}
