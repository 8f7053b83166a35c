//! `account delete`: nothing of an account is left.

#[cfg(test)]
mod tests;

use std::time::Duration;

use domain::id::{AccountId, DocumentId, JobId};
use domain::job::JobStatus;
use domain::library::{Removal, SHARDS};
use domain::ports::{
    Chore, Erasure, IN_FLIGHT, Jobs, Library, PortError, Subscriptions, Trace, UPLOADS_ARRIVE,
};
use domain::subscription::SubscriptionKind;
use domain::timestamp::Timestamp;
use futures::{StreamExt, TryStreamExt, stream};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::error::AdminError;

/// How many rows are looked for at a time.
const AT_ONCE: u32 = 100;
/// How many jobs are erased at the same time.
const SIDE_BY_SIDE: usize = 16;
/// How often a job that is being processed is looked at.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Later than anything in the library waits for.
const LATER_THAN_CHORES: Duration = Duration::from_secs(24 * 3_600);

/// What erasing an account needs of the world.
pub(super) trait Ports: Erasure + Jobs + Library + Subscriptions {}

impl<P> Ports for P where P: Erasure + Jobs + Library + Subscriptions {}

/// The erasure of an account. Each part may be done again, and what leads to the rest goes last, so that after a crash
/// another run finds what is left.
pub(super) struct AccountErasure<'a, P, C> {
    pub(super) ports: &'a P,
    pub(super) account: &'a AccountId,
    pub(super) clock: C,
    /// How long to wait for the jobs that are being processed.
    pub(super) wait: Duration,
}

/// How much was erased.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
struct Erased {
    /// Keys and identities.
    credentials: u64,
    jobs: u64,
    /// Ledgers of imports.
    imports: u64,
    /// Idempotency records of uploads.
    uploads: u64,
    documents: u64,
    /// Webhooks and automation hooks, those that ended lately too.
    subscriptions: u64,
    objects: u64,
}

impl<P: Ports, C: Fn() -> Timestamp> AccountErasure<'_, P, C> {
    /// Erases everything; says how much there was.
    pub(super) async fn run(&self) -> Result<Value, AdminError> {
        let closed = self
            .ports
            .close_account(self.account, (self.clock)())
            .await?;
        if let Some(closed) = closed {
            self.let_requests_end(closed).await;
        }
        self.end_subscriptions().await?;
        self.end_jobs().await?;
        self.end_imports().await?;
        let mut erased = Erased {
            objects: self.ports.erase_objects(self.account).await?,
            documents: self.erase_documents().await?,
            ..Erased::default()
        };
        self.erase_traces(&mut erased).await?;
        self.finish_removals().await?;
        erased.subscriptions = self.ports.erase_subscriptions(self.account).await?;
        erased.credentials = self.ports.erase_account(self.account).await?;
        if closed.is_none() && erased == Erased::default() {
            return Err(AdminError::Unknown(format!("account {}", self.account)));
        }
        let since = closed.unwrap_or_else(&self.clock);
        Ok(json!({
            "accountId": self.account,
            "erased": erased,
            "uploadsArriveUntil": since.plus(UPLOADS_ARRIVE),
        }))
    }

    /// A request that was let in before the account was closed may still accept a job.
    async fn let_requests_end(&self, closed: Timestamp) {
        let left = closed.plus(IN_FLIGHT).milliseconds() - (self.clock)().milliseconds();
        sleep(Duration::from_millis(u64::try_from(left).unwrap_or(0))).await;
    }

    /// Ends every subscription, so that no more deliveries are made by the time that they are erased.
    async fn end_subscriptions(&self) -> Result<(), PortError> {
        for kind in [SubscriptionKind::Webhook, SubscriptionKind::Hook] {
            let mut after = None;
            loop {
                let page = self
                    .ports
                    .subscriptions(self.account, kind, after.as_ref(), AT_ONCE)
                    .await?;
                for one in &page.subscriptions {
                    let now = (self.clock)();
                    self.ports.unsubscribe(self.account, &one.id, now).await?;
                }
                after = page.next;
                if after.is_none() {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Cancels what waits and waits for what is processed: nobody may write for the account any more.
    async fn end_jobs(&self) -> Result<(), AdminError> {
        let deadline = (self.clock)().plus(self.wait);
        let mut processed = Vec::new();
        for trace in self.traces().await? {
            if let Trace::Job(id) = trace
                && !self.end(&id).await?
            {
                processed.push(id);
            }
        }
        while !processed.is_empty() {
            if (self.clock)() >= deadline {
                return Err(still_processed(&processed));
            }
            sleep(LOOK_EVERY).await;
            let mut left = Vec::new();
            for id in processed {
                if !self.end(&id).await? {
                    left.push(id);
                }
            }
            processed = left;
        }
        Ok(())
    }

    /// Whether a job has ended, by being cancelled if need be.
    async fn end(&self, id: &JobId) -> Result<bool, PortError> {
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
                // Somebody was faster.
                Some(_) => {}
            }
        }
    }

    async fn end_imports(&self) -> Result<(), PortError> {
        let now = (self.clock)();
        for chore in self.chores().await? {
            if let Chore::Import(import) = chore {
                self.ports.give_up_import(&import, now).await?;
            }
        }
        Ok(())
    }

    async fn erase_documents(&self) -> Result<u64, PortError> {
        let (mut count, mut before) = (0, None);
        loop {
            let slice = self
                .ports
                .documents(self.account, before.as_ref(), AT_ONCE)
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

    /// Erases jobs, and imports with what is left of their documents.
    async fn erase_traces(&self, erased: &mut Erased) -> Result<(), PortError> {
        let traces = self.traces().await?;
        for trace in &traces {
            match trace {
                Trace::Job(_) => erased.jobs += 1,
                Trace::Import(_) => erased.imports += 1,
                Trace::Upload(_) => erased.uploads += 1,
            }
        }
        stream::iter(traces)
            .map(Ok)
            .try_for_each_concurrent(SIDE_BY_SIDE, async |trace: Trace| {
                if let Trace::Import(document) = &trace {
                    self.ports.purge(&self.removal(document), true).await?;
                    self.ports.erase_events(document).await?;
                }
                self.ports.erase_trace(self.account, &trace).await
            })
            .await
    }

    /// Documents that were deleted shortly before: `sweep` is not waited for.
    async fn finish_removals(&self) -> Result<(), PortError> {
        for chore in self.chores().await? {
            if let Chore::Removal(removal) = chore {
                self.ports.purge(&removal, true).await?;
                self.ports.erase_events(&removal.document_id).await?;
            }
        }
        Ok(())
    }

    async fn traces(&self) -> Result<Vec<Trace>, PortError> {
        let (mut traces, mut after) = (Vec::new(), None::<String>);
        loop {
            let page = self
                .ports
                .traces(self.account, after.as_deref(), AT_ONCE)
                .await?;
            traces.extend(page.traces);
            after = page.next;
            if after.is_none() {
                return Ok(traces);
            }
        }
    }

    /// What waits in the library for this account, due or not.
    async fn chores(&self) -> Result<Vec<Chore>, PortError> {
        let until = (self.clock)().plus(LATER_THAN_CHORES);
        let mut own = Vec::new();
        for shard in 0..SHARDS {
            let mut after = None;
            loop {
                let page = self.ports.chores(shard, until, after.as_ref(), AT_ONCE);
                let page = page.await?;
                let chores = page.chores.into_iter();
                own.extend(chores.filter(|chore| chore.account_id() == self.account));
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

fn still_processed(jobs: &[JobId]) -> AdminError {
    let first = jobs.first().map(JobId::to_string).unwrap_or_default();
    AdminError::Refused(format!(
        "the account is closed, but {} of its jobs are being processed ({first}): run this again, or with a longer --wait",
        jobs.len()
    ))
}
