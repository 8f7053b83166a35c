//! The jobs table: accepts, lists and transitions jobs; each transition is one transaction with its ticket, event and
//! refund.

mod accept;
mod transition;

use async_trait::async_trait;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use domain::id::{AccountId, JobId};
use domain::job::{Job, JobStatus};
use domain::ports::{AcceptOutcome, Acceptance, JobPage, Jobs, PortError, PreviousRequest};
use domain::timestamp::Timestamp;
use domain::transition::Transition;

use crate::error::{Failure, failed, unavailable};
use crate::item::{self, SERVICE, number, text};
use crate::job_item::{WRITE, read_job};
use crate::keys;
use crate::retry::RetryBudget;
use crate::services::Services;
use crate::table::condition_met;
use crate::transaction::{Committed, WriteRole, new_write};

/// Maximum number of jobs that a filtered list request examines.
const MAX_EXAMINED: usize = 1_000;
/// Jobs read per batch of a filtered list request.
const EXAMINED_PER_BATCH: usize = 100;

#[async_trait]
impl Jobs for Services {
    async fn accept(&self, acceptance: &Acceptance) -> Result<AcceptOutcome, PortError> {
        let transaction = self.acceptance(acceptance)?;
        let mut retries = RetryBudget::new();
        loop {
            if let Some(accepted) = self.try_to_accept(acceptance, &transaction).await? {
                return Ok(accepted);
            }
            retries.wait().await?;
        }
    }

    async fn replay(
        &self,
        fingerprint: &str,
        body_hash: &str,
        now: Timestamp,
    ) -> Result<Option<PreviousRequest>, PortError> {
        match self.recorded(fingerprint, now).await? {
            Some(record) => self.previous(&record, body_hash).await.map(Some),
            None => Ok(None),
        }
    }

    async fn job(&self, id: &JobId) -> Result<Option<Job>, PortError> {
        let found = self.read(self.jobs_table()?, &keys::job(id)).await?;
        found.map(read_job).transpose()
    }

    async fn jobs(
        &self,
        account: &AccountId,
        status: Option<JobStatus>,
        before: Option<&JobId>,
        limit: u32,
    ) -> Result<JobPage, PortError> {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let batch_size = status.map_or(limit, |_| EXAMINED_PER_BATCH);
        let mut list = List::new(status, limit);
        let mut before = before.cloned();
        while !list.is_done() {
            let (ids, more) = self.ids(account, before.as_ref(), batch_size).await?;
            before = ids.last().cloned();
            list.examine(&ids, self.jobs_by_id(&ids).await?);
            if !more {
                return Ok(list.end());
            }
        }
        Ok(list.page())
    }

    async fn apply(&self, transition: &Transition) -> Result<bool, PortError> {
        let mut refund = transition.refund.as_ref();
        let mut write = new_write();
        let mut retries = RetryBudget::new();
        loop {
            let all = self.transition(transition, refund, &write)?;
            match self.commit(&all, &write).await {
                Ok(Committed::Yes) => return Ok(true),
                Ok(Committed::No(roles)) if roles.contains(&WriteRole::Job) => {
                    return self.is_from(&transition.job.id, &write).await;
                }
                // Refunded already, before the operator redrove the job.
                Ok(Committed::No(roles)) if roles.contains(&WriteRole::Refund) => {
                    refund = None;
                    write = new_write();
                    continue;
                }
                // The document has changed or is deleted: the caller has to compute the transition again.
                Ok(Committed::No(roles))
                    if roles.contains(&WriteRole::Document)
                        || roles.contains(&WriteRole::DocumentRow) =>
                {
                    return Err(PortError::Contended);
                }
                Ok(Committed::No(_)) => {
                    return Err(unavailable(
                        SERVICE,
                        "an unconditional write failed its condition",
                    ));
                }
                Err(Failure::Busy) => retries.wait().await?,
                Err(Failure::Unknown(error)) => {
                    let written = self.is_from(&transition.job.id, &write).await?;
                    return if written { Ok(true) } else { Err(error) };
                }
                Err(Failure::Rejected(error)) => return Err(error),
            }
        }
    }

    async fn extend_lease(
        &self,
        job: &JobId,
        attempt: u32,
        until: Timestamp,
        progress: u8,
    ) -> Result<bool, PortError> {
        let mut retries = RetryBudget::new();
        loop {
            let update = self.heartbeat(job, attempt, until, progress)?;
            match condition_met(update.send().await) {
                Ok(updated) => return Ok(updated),
                Err(Failure::Busy) => retries.wait().await?,
                Err(failure) => return Err(failure.into_error()),
            }
        }
    }
}

impl Services {
    /// Up to `limit` job identifiers, and whether more follow.
    async fn ids(
        &self,
        account: &AccountId,
        before: Option<&JobId>,
        limit: usize,
    ) -> Result<(Vec<JobId>, bool), PortError> {
        let before = before.map_or(keys::AFTER_JOBS, JobId::as_str);
        let response = self
            .tables()
            .query()
            .table_name(self.jobs_table()?)
            .index_name(keys::BY_ACCOUNT)
            .scan_index_forward(false)
            .limit(i32::try_from(limit + 1).unwrap_or(i32::MAX))
            .key_condition_expression("accountId = :account AND listedAs < :before")
            .expression_attribute_values(":account", text(account.as_str()))
            .expression_attribute_values(":before", text(before))
            .send()
            .await
            .map_err(|error| failed(SERVICE, &error))?;
        let read =
            |row| keys::job_of(row).ok_or_else(|| item::unreadable(item::key_of(row).as_ref()));
        let mut ids = response
            .items()
            .iter()
            .map(read)
            .collect::<Result<Vec<_>, _>>()?;
        let more = ids.len() > limit;
        ids.truncate(limit);
        Ok((ids, more))
    }

    async fn jobs_by_id(&self, ids: &[JobId]) -> Result<Vec<Job>, PortError> {
        let wanted: Vec<_> = ids.iter().map(keys::job).collect();
        let found = self.read_all(self.jobs_table()?, &wanted).await?;
        found.into_iter().map(read_job).collect()
    }
}

/// A page under construction.
struct List {
    status: Option<JobStatus>,
    limit: usize,
    examined: usize,
    jobs: Vec<Job>,
    last: Option<JobId>,
    passed_over: bool,
}

impl List {
    fn new(status: Option<JobStatus>, limit: usize) -> Self {
        Self {
            status,
            limit,
            examined: 0,
            jobs: Vec::new(),
            last: None,
            passed_over: false,
        }
    }

    fn is_done(&self) -> bool {
        self.jobs.len() >= self.limit || self.examined >= MAX_EXAMINED
    }

    /// Adds the matching jobs of `ids` until the page is full; deleted jobs are skipped.
    fn examine(&mut self, ids: &[JobId], jobs: Vec<Job>) {
        let mut jobs = jobs.into_iter().peekable();
        for id in ids {
            if self.is_done() {
                self.passed_over = true;
                return;
            }
            self.examined += 1;
            self.last = Some(id.clone());
            let job = jobs.next_if(|job| job.id == *id);
            self.jobs
                .extend(job.filter(|job| self.status.is_none_or(|status| job.status == status)));
        }
    }

    /// The last page.
    fn end(self) -> JobPage {
        JobPage {
            next: self.last.filter(|_| self.passed_over),
            jobs: self.jobs,
        }
    }

    /// A page that another one follows.
    fn page(self) -> JobPage {
        JobPage {
            jobs: self.jobs,
            next: self.last,
        }
    }
}

impl Services {
    /// Whether the stored job was written by `write`.
    async fn is_from(&self, job: &JobId, write: &str) -> Result<bool, PortError> {
        let found = self.read(self.jobs_table()?, &keys::job(job)).await?;
        Ok(found.is_some_and(|item| item::read_text(&item, WRITE) == Some(write)))
    }

    fn heartbeat(
        &self,
        job: &JobId,
        attempt: u32,
        until: Timestamp,
        progress: u8,
    ) -> Result<UpdateItemFluentBuilder, PortError> {
        Ok(self
            .tables()
            .update_item()
            .table_name(self.jobs_table()?)
            .set_key(Some(keys::job(job).attributes()))
            .update_expression("SET leaseUntil = :until, dueAt = :until, progress = :progress")
            .condition_expression("#status = :processing AND attempt = :attempt")
            .expression_attribute_names("#status", "status")
            .expression_attribute_values(":until", number(until.milliseconds()))
            .expression_attribute_values(":progress", number(progress))
            .expression_attribute_values(":processing", text(JobStatus::Processing.name()))
            .expression_attribute_values(":attempt", number(attempt)))
    }
}
