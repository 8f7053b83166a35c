//! `account delete`: erases all data of an account (GDPR, right to erasure).

#[cfg(test)]
mod tests;

use std::time::Duration;

use domain::id::{AccountId, DocumentId, JobId};
use domain::job::JobStatus;
use domain::library::{Removal, SHARDS};
use domain::ports::{
    AccountRecord, Erasure, IN_FLIGHT, Jobs, Library, PendingCleanup, PortError, Subscriptions,
    UPLOAD_URL_LIFETIME,
};
use domain::subscription::SubscriptionKind;
use domain::timestamp::Timestamp;
use futures::{StreamExt, TryStreamExt, stream};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::error::AdminError;

/// Rows per page of a query.
const PAGE_SIZE: u32 = 100;
/// Records that are erased concurrently.
const CONCURRENT_ERASURES: usize = 16;
/// Interval at which running jobs are polled.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Longer than the due time of any pending cleanup of the library.
const MAX_CLEANUP_DELAY: Duration = Duration::from_secs(24 * 3_600);

/// Ports that the erasure uses.
pub(super) trait Ports: Erasure + Jobs + Library + Subscriptions {}

impl<P> Ports for P where P: Erasure + Jobs + Library + Subscriptions {}

/// The erasure of an account. Each step is idempotent, and records that reference others are erased last, so that another run
/// completes an interrupted erasure.
pub(super) struct AccountErasure<'a, P, C> {
    pub(super) ports: &'a P,
    pub(super) account: &'a AccountId,
    pub(super) clock: C,
    /// Maximum time to wait for running jobs.
    pub(super) wait: Duration,
}

/// Counts of erased items.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
struct Erased {
    /// API keys and identities.
    credentials: u64,
    jobs: u64,
    /// Import records.
    imports: u64,
    /// Idempotency records of uploads.
    uploads: u64,
    documents: u64,
    /// Webhooks and automation hooks, including recently deleted ones.
    subscriptions: u64,
    objects: u64,
}

impl<P: Ports, C: Fn() -> Timestamp> AccountErasure<'_, P, C> {
    /// Erases everything and returns the counts.
    pub(super) async fn run(&self) -> Result<Value, AdminError> {
        let closed = self
            .ports
            .close_account(self.account, (self.clock)())
            .await?;
        if let Some(closed) = closed {
            self.await_running_requests(closed).await;
        }
        self.end_subscriptions().await?;
        self.end_jobs().await?;
        self.end_imports().await?;
        let mut erased = Erased {
            objects: self.ports.erase_objects(self.account).await?,
            documents: self.erase_documents().await?,
            ..Erased::default()
        };
        self.erase_records(&mut erased).await?;
        self.finish_removals().await?;
        erased.subscriptions = self.ports.erase_subscriptions(self.account).await?;
        erased.credentials = self.ports.erase_account(self.account).await?;
        if closed.is_none() && erased == Erased::default() {
            return Err(AdminError::NotFound(format!("account {}", self.account)));
        }
        let since = closed.unwrap_or_else(&self.clock);
        Ok(json!({
            "accountId": self.account,
            "erased": erased,
            "uploadsArriveUntil": since.plus(UPLOAD_URL_LIFETIME),
        }))
    }

    /// Waits for requests that were admitted before the account was closed: they may still create jobs.
    async fn await_running_requests(&self, closed: Timestamp) {
        let remaining = closed.plus(IN_FLIGHT).milliseconds() - (self.clock)().milliseconds();
        sleep(Duration::from_millis(u64::try_from(remaining).unwrap_or(0))).await;
    }

    /// Deletes every subscription first, so that no new deliveries are created while they are erased.
    async fn end_subscriptions(&self) -> Result<(), PortError> {
        for kind in [SubscriptionKind::Webhook, SubscriptionKind::Hook] {
            let mut after = None;
            loop {
                let page = self
                    .ports
                    .subscriptions(self.account, kind, after.as_ref(), PAGE_SIZE)
                    .await?;
                for subscription in &page.subscriptions {
                    let now = (self.clock)();
                    self.ports
                        .unsubscribe(self.account, &subscription.id, now)
                        .await?;
                }
                after = page.next;
                if after.is_none() {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Cancels queued jobs and waits for running ones, after which nothing writes for the account.
    async fn end_jobs(&self) -> Result<(), AdminError> {
        let deadline = (self.clock)().plus(self.wait);
        let mut processed = Vec::new();
        for record in self.records().await? {
            if let AccountRecord::Job(id) = record
                && !self.try_end(&id).await?
            {
                processed.push(id);
            }
        }
        while !processed.is_empty() {
            if (self.clock)() >= deadline {
                return Err(jobs_still_processing(&processed));
            }
            sleep(POLL_INTERVAL).await;
            let mut remaining = Vec::new();
            for id in processed {
                if !self.try_end(&id).await? {
                    remaining.push(id);
                }
            }
            processed = remaining;
        }
        Ok(())
    }

    /// Cancels the job unless it is finished. Returns `false` while it is running.
    async fn try_end(&self, id: &JobId) -> Result<bool, PortError> {
        loop {
            let Some(job) = self.ports.job(id).await? else {
                return Ok(true);
            };
            if job.status == JobStatus::Processing {
                return Ok(false);
            }
            match job.cancel((self.clock)()) {
                None => return Ok(true),
                Some(cancelled) if self.ports.apply(&cancelled).await? => return Ok(true),
                // A concurrent write won: read the job again.
                Some(_) => {}
            }
        }
    }

    async fn end_imports(&self) -> Result<(), PortError> {
        let now = (self.clock)();
        for cleanup in self.pending_cleanups().await? {
            if let PendingCleanup::Import(import) = cleanup {
                self.ports.abandon_import(&import, now).await?;
            }
        }
        Ok(())
    }

    async fn erase_documents(&self) -> Result<u64, PortError> {
        let (mut count, mut before) = (0, None);
        loop {
            let slice = self
                .ports
                .documents(self.account, before.as_ref(), PAGE_SIZE)
                .await?;
            for document in &slice.documents {
                let removal = self.removal(&document.id);
                self.ports.remove_document(&removal).await?;
                self.ports.purge(&removal, true).await?;
                self.ports.erase_events(&document.id).await?;
                count += 1;
            }
            before = slice.documents.last().map(|last| last.id.clone());
            if !slice.more || before.is_none() {
                return Ok(count);
            }
        }
    }

    /// Erases jobs, uploads and imports, and the remaining data of imported documents.
    async fn erase_records(&self, erased: &mut Erased) -> Result<(), PortError> {
        let records = self.records().await?;
        for record in &records {
            match record {
                AccountRecord::Job(_) => erased.jobs += 1,
                AccountRecord::Import(_) => erased.imports += 1,
                AccountRecord::Upload(_) => erased.uploads += 1,
            }
        }
        stream::iter(records)
            .map(Ok)
            .try_for_each_concurrent(CONCURRENT_ERASURES, async |record: AccountRecord| {
                if let AccountRecord::Import(document) = &record {
                    self.ports.purge(&self.removal(document), true).await?;
                    self.ports.erase_events(document).await?;
                }
                self.ports.erase_record(self.account, &record).await
            })
            .await
    }

    /// Purges recently deleted documents without waiting for `sweep`.
    async fn finish_removals(&self) -> Result<(), PortError> {
        for cleanup in self.pending_cleanups().await? {
            if let PendingCleanup::Removal(removal) = cleanup {
                self.ports.purge(&removal, true).await?;
                self.ports.erase_events(&removal.document_id).await?;
            }
        }
        Ok(())
    }

    async fn records(&self) -> Result<Vec<AccountRecord>, PortError> {
        let (mut records, mut after) = (Vec::new(), None::<String>);
        loop {
            let page = self
                .ports
                .records(self.account, after.as_deref(), PAGE_SIZE)
                .await?;
            records.extend(page.records);
            after = page.next;
            if after.is_none() {
                return Ok(records);
            }
        }
    }

    /// Returns the account's pending cleanups of the library, due or not.
    async fn pending_cleanups(&self) -> Result<Vec<PendingCleanup>, PortError> {
        let until = (self.clock)().plus(MAX_CLEANUP_DELAY);
        let mut own = Vec::new();
        for shard in 0..SHARDS {
            let mut after = None;
            loop {
                let page = self
                    .ports
                    .pending_cleanups(shard, until, after.as_ref(), PAGE_SIZE);
                let page = page.await?;
                let pending_cleanups = page.pending_cleanups.into_iter();
                own.extend(pending_cleanups.filter(|cleanup| cleanup.account_id() == self.account));
                after = page.next;
                if after.is_none() {
                    break;
                }
            }
        }
        Ok(own)
    }

    fn removal(&self, document: &DocumentId) -> Removal {
        Removal {
            account_id: self.account.clone(),
            document_id: document.clone(),
            removed_at: (self.clock)(),
        }
    }
}

fn jobs_still_processing(jobs: &[JobId]) -> AdminError {
    let first = jobs.first().map(JobId::to_string).unwrap_or_default();
    AdminError::Rejected(format!(
        "the account is closed, but {} of its jobs are still running ({first}); run the command again or increase --wait",
        jobs.len()
    ))
}
