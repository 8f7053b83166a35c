//! Reading jobs: one, or an account's, newest first.

use async_trait::async_trait;
use domain::id::{AccountId, JobId};
use domain::job::{Job, JobStatus};
use domain::ports::{JobPage, PortError, ReadJobs};

use crate::error::failed;
use crate::item::{self, SERVICE, text};
use crate::job_item::read_job;
use crate::keys;
use crate::services::Services;

/// How many jobs one request with a filter looks at.
const EXAMINED: usize = 1_000;
/// How many jobs are read at a time where a filter may drop them.
const EXAMINED_AT_ONCE: usize = 100;

#[async_trait]
impl ReadJobs for Services {
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
        let read = |row| keys::job_of(row).ok_or_else(|| item::unreadable(keys::of(row).as_ref()));
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
