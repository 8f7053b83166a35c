//! Pending cleanups of the document library: abandoned imports, deleted documents, and drafts that never became a version.

use std::time::Instant;

use domain::library::SHARDS;
use domain::ports::{PendingCleanup, PortError};
use domain::timestamp::Timestamp;

use crate::{Ports, SweepReport};

/// Rows per query.
const PAGE: u32 = 100;

/// Processes every pending cleanup that is due at `now`, until none is left or the deadline is reached.
pub(crate) async fn clean_up<P: Ports>(
    ports: &P,
    now: Timestamp,
    deadline: Instant,
) -> SweepReport {
    let mut report = SweepReport::default();
    for shard in 0..SHARDS {
        report = report + clean_up_shard(ports, shard, now, deadline).await;
    }
    report
}

async fn clean_up_shard<P: Ports>(
    ports: &P,
    shard: u8,
    now: Timestamp,
    deadline: Instant,
) -> SweepReport {
    let (mut report, mut position) = (SweepReport::default(), None);
    while Instant::now() < deadline {
        let page = match ports
            .pending_cleanups(shard, now, position.as_ref(), PAGE)
            .await
        {
            Ok(page) => page,
            Err(error) => {
                tracing::error!(%error, shard, "cannot query the pending cleanups of the library");
                report.failed += 1;
                break;
            }
        };
        if let Some(first) = page.unreadable.first() {
            let rows = page.unreadable.len();
            tracing::error!(
                shard,
                rows,
                first,
                "rows skipped: this release cannot read them"
            );
            report.failed += rows;
        }
        for cleanup in page.pending_cleanups {
            if Instant::now() >= deadline {
                return report;
            }
            report = report + finish(ports, &cleanup, now).await;
        }
        position = page.next;
        if position.is_none() {
            break;
        }
    }
    report
}

/// Processes one row; a failure is logged and counted.
async fn finish<P: Ports>(ports: &P, cleanup: &PendingCleanup, now: Timestamp) -> SweepReport {
    try_to_finish(ports, cleanup, now)
        .await
        .unwrap_or_else(|error| {
            tracing::error!(%error, "cannot process the cleanup");
            SweepReport {
                failed: 1,
                ..SweepReport::default()
            }
        })
}

async fn try_to_finish<P: Ports>(
    ports: &P,
    cleanup: &PendingCleanup,
    now: Timestamp,
) -> Result<SweepReport, PortError> {
    let mut report = SweepReport::default();
    match cleanup {
        PendingCleanup::Import(import) => {
            if ports.abandon_import(import, now).await? {
                tracing::warn!(document_id = %import.document_id, "import abandoned: its lease expired; refunded");
                report.abandoned = 1;
            }
        }
        PendingCleanup::Removal(removal) => {
            ports.purge(removal, removal.is_final(now)).await?;
            report.purged = 1;
        }
        PendingCleanup::Draft(draft) => {
            ports.drop_draft(draft).await?;
            tracing::warn!(
                document_id = %draft.document_id, version_id = %draft.version_id,
                "draft removed: it never became a version"
            );
            report.purged = 1;
        }
    }
    Ok(report)
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
    use testkit::{Call, Environment as _, Fakes, Fault, sample};

    async fn swept(fakes: &Fakes, now: Timestamp) -> SweepReport {
        clean_up(fakes, now, Instant::now() + Duration::from_secs(30)).await
    }

    #[tokio::test]
    async fn an_import_whose_lease_expired_is_refunded_and_its_objects_are_removed() {
        let fakes = Fakes::new();
        let account = sample::account(&fakes, Plan::Starter);
        let (key, now) = (sample::fingerprint(&fakes), fakes.now());
        let start = sample::library::import(&fakes, &account, Some(&key), now);
        fakes.start_import(&start).await.unwrap();
        let import = &start.import;
        let object = version_object(&account.id, &import.document_id, &import.version_id);
        fakes.put_object(&object, "application/pdf", b"%PDF");
        let before = Timestamp(import.lease_until.milliseconds() - 1);
        assert_eq!(swept(&fakes, before).await, SweepReport::default());
        let done = swept(&fakes, import.lease_until).await;
        assert_eq!((done.abandoned, done.failed), (1, 0));
        assert!(!fakes.has_data_of(&import.document_id));
        let used = fakes.used(&account.id, now.period()).await.unwrap();
        assert_eq!((used.this_month, fakes.refunded_imports()), (0, 1));
        assert_eq!(
            swept(&fakes, import.lease_until).await,
            SweepReport::default()
        );
    }

    #[tokio::test]
    async fn a_deleted_document_is_purged_twice_despite_failures_in_between() {
        let fakes = Fakes::new();
        let account = sample::account(&fakes, Plan::Business);
        let now = fakes.now();
        let start = sample::library::import(&fakes, &account, None, now);
        let (document, version) = sample::library::imported_document(&start.import, "a.pdf");
        let object = version_object(&account.id, &document.id, &version.id);
        fakes.put_object(&object, "application/pdf", b"%PDF");
        fakes.put_document(document.clone(), version);
        let removal = Removal {
            account_id: account.id.clone(),
            document_id: document.id.clone(),
            removed_at: now,
        };
        assert!(fakes.remove_document(&removal).await.unwrap());
        // The function that handled the request ends before it purges anything.
        let first = now.plus(Removal::FIRST_PASS_WITHIN);
        fakes.fail(Call::TidyLibrary, Fault::Unavailable, usize::from(SHARDS));
        assert_eq!(swept(&fakes, first).await.failed, usize::from(SHARDS));
        assert_eq!(swept(&fakes, first).await.purged, 1);
        assert!(fakes.object(&object).is_none());
        assert_eq!(swept(&fakes, first).await, SweepReport::default());
        // A function that was still running stores an object after the first pass.
        let file = std::env::temp_dir().join(document.id.as_str());
        std::fs::write(&file, b"%PDF").unwrap();
        fakes
            .store(&file, &object, "application/pdf")
            .await
            .unwrap();
        std::fs::remove_file(file).unwrap();
        let last = now.plus(Removal::MAX_FUNCTION_TIME);
        assert_eq!(swept(&fakes, last).await.purged, 1);
        assert!(!fakes.has_data_of(&document.id));
        fakes.purge(&removal, true).await.unwrap();
        assert_eq!(swept(&fakes, last).await, SweepReport::default());
    }

    #[tokio::test]
    async fn a_draft_that_never_became_a_version_is_removed_when_no_function_can_still_use_it() {
        let fakes = Fakes::new();
        let account = sample::account(&fakes, Plan::Business);
        let now = fakes.now();
        let start = sample::library::import(&fakes, &account, None, now);
        let (document, version) = sample::library::imported_document(&start.import, "a.pdf");
        let object = version_object(&account.id, &document.id, &version.id);
        fakes.put_object(&object, "application/pdf", b"%PDF");
        fakes.put_document(document.clone(), version);
        let draft = Draft {
            account_id: account.id.clone(),
            document_id: document.id.clone(),
            version_id: VersionId::mint(now, 7),
            begun_at: now,
        };
        fakes.create_draft(&draft).await.unwrap();
        let etag = fakes.stored(&object).await.unwrap().unwrap().etag;
        let copied = fakes.copy(&object, &etag, &draft.object()).await;
        copied.unwrap().unwrap();
        let before = Timestamp(draft.due().milliseconds() - 1);
        assert_eq!(swept(&fakes, before).await, SweepReport::default());
        assert_eq!(fakes.objects_of(&document.id).len(), 2);
        assert_eq!(swept(&fakes, draft.due()).await.purged, 1);
        assert_eq!(fakes.objects_of(&document.id), [object]);
        assert_eq!(swept(&fakes, draft.due()).await, SweepReport::default());
    }
}
