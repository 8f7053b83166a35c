//! Jobs: accepted, listed and moved along, each move with its ticket, event and refund in one transaction.

mod accept;
mod transition;

use async_trait::async_trait;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use domain::id::{AccountId, JobId};
use domain::job::{Job, JobStatus};
use domain::ports::{Acceptance, Accepted, Earlier, JobPage, Jobs, PortError};
use domain::timestamp::Timestamp;
use domain::transition::Transition;

use crate::error::{Failure, failed, unavailable};
use crate::item::{self, SERVICE, number, text};
use crate::job_item::{WRITE, read_job};
use crate::keys;
use crate::retry::Patience;
use crate::services::Services;
use crate::table::held;
use crate::transaction::{Committed, Part, new_write};

/// How many jobs one request with a filter looks at.
const EXAMINED: usize = 1_000;
/// How many jobs are read at a time where a filter may drop them.
const EXAMINED_AT_ONCE: usize = 100;

#[async_trait]
impl Jobs for Services {
    async fn accept(&self, acceptance: &Acceptance) -> Result<Accepted, PortError> {
        let transaction = self.acceptance(acceptance)?;
        let mut patience = Patience::new();
        loop {
            if let Some(accepted) = self.try_to_accept(acceptance, &transaction).await? {
                return Ok(accepted);
            }
            patience.wait().await?;
        }
    }

    async fn replay(
        &self,
        fingerprint: &str,
        body_hash: &str,
        now: Timestamp,
    ) -> Result<Option<Earlier>, PortError> {
        match self.recorded(fingerprint, now).await? {
            Some(record) => self.earlier(&record, body_hash).await.map(Some),
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
        let at_once = status.map_or(limit, |_| EXAMINED_AT_ONCE);
        let mut list = List::new(status, limit);
        let mut before = before.cloned();
        while !list.is_done() {
            let (ids, more) = self.ids(account, before.as_ref(), at_once).await?;
            before = ids.last().cloned();
            list.examine(&ids, self.jobs_named(&ids).await?);
            if !more {
                return Ok(list.end());
            }
        }
        Ok(list.page())
    }

    async fn apply(&self, transition: &Transition) -> Result<bool, PortError> {
        let mut refund = transition.refund.as_ref();
        let mut write = new_write();
        let mut patience = Patience::new();
        loop {
            let all = self.transition(transition, refund, &write)?;
            match self.commit(&all, &write).await {
                Ok(Committed::Yes) => return Ok(true),
                Ok(Committed::No(parts)) if parts.contains(&Part::Job) => {
                    return self.is_from(&transition.job.id, &write).await;
                }
                // Given back before, when the operator had sent the job round again.
                Ok(Committed::No(parts)) if parts.contains(&Part::Refund) => {
                    refund = None;
                    write = new_write();
                    continue;
                }
                // The saved document has changed since, or is gone: the move has to be made anew.
                Ok(Committed::No(parts))
                    if parts.contains(&Part::Document) || parts.contains(&Part::Belonging) =>
                {
                    return Err(PortError::Contended);
                }
                Ok(Committed::No(_)) => {
                    return Err(unavailable(SERVICE, "a condition failed that none has"));
                }
                Err(Failure::Busy) => patience.wait().await?,
                Err(Failure::Unknown(error)) => {
                    let written = self.is_from(&transition.job.id, &write).await?;
                    return if written { Ok(true) } else { Err(error) };
                }
                Err(Failure::Refused(error)) => return Err(error),
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
        let mut patience = Patience::new();
        loop {
            let update = self.sign_of_life(job, attempt, until, progress)?;
            match held(update.send().await) {
                Ok(held) => return Ok(held),
                Err(Failure::Busy) => patience.wait().await?,
                Err(failure) => return Err(failure.into_error()),
            }
        }
    }
}

impl Services {
    /// Up to `limit` identifiers, and whether there are more behind them.
    async fn ids(
        &self,
        account: &AccountId,
        before: Option<&JobId>,
        limit: usize,
    ) -> Result<(Vec<JobId>, bool), PortError> {
        let before = before.map_or(keys::BEHIND_JOBS, JobId::as_str);
        let answer = self
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
        let mut ids = answer
            .items()
            .iter()
            .map(read)
            .collect::<Result<Vec<_>, _>>()?;
        let more = ids.len() > limit;
        ids.truncate(limit);
        Ok((ids, more))
    }

    async fn jobs_named(&self, ids: &[JobId]) -> Result<Vec<Job>, PortError> {
        let wanted: Vec<_> = ids.iter().map(keys::job).collect();
        let found = self.read_all(self.jobs_table()?, &wanted).await?;
        found.into_iter().map(read_job).collect()
    }
}

/// A page while it is being filled.
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
        self.jobs.len() >= self.limit || self.examined >= EXAMINED
    }

    /// Takes what fits of the jobs behind `ids`, those of them that are still there.
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

    /// The page when nothing was left to read.
    fn end(self) -> JobPage {
        JobPage {
            next: self.last.filter(|_| self.passed_over),
            jobs: self.jobs,
        }
    }

    /// The page when there is more to read.
    fn page(self) -> JobPage {
        JobPage {
            jobs: self.jobs,
            next: self.last,
        }
    }
}

impl Services {
    /// Whether the job's present state is from this very write.
    async fn is_from(&self, job: &JobId, write: &str) -> Result<bool, PortError> {
        let found = self.read(self.jobs_table()?, &keys::job(job)).await?;
        Ok(found.is_some_and(|item| item::read_text(&item, WRITE) == Some(write)))
    }

    fn sign_of_life(
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
