//! Jobs.

use async_trait::async_trait;

use super::PortError;
use crate::event::Event;
use crate::id::{AccountId, JobId};
use crate::job::{Job, JobStatus};
use crate::plan::Plan;
use crate::timestamp::Timestamp;
use crate::transition::{TicketChange, Transition};
use crate::usage::Spent;

/// What is written when a job is accepted, all of it or nothing.
#[derive(Clone, Debug)]
pub struct Acceptance {
    /// The job, `queued`.
    pub job: Job,
    /// The account's plan, whose limits the charge must fit.
    pub plan: Plan,
    /// The fingerprint of the idempotency key.
    pub fingerprint: String,
    /// The hash of the request's body.
    pub body_hash: String,
    /// `job.created`.
    pub event: Event,
    /// The ticket row.
    pub ticket: TicketChange,
}

/// What became of an acceptance.
#[derive(Clone, Debug, PartialEq)]
pub enum Accepted {
    /// It was written.
    New,
    /// The key was used before.
    Earlier(Earlier),
    /// The plan's counter does not allow it.
    Spent(Spent),
}

/// What an earlier request with the same idempotency key left.
#[derive(Clone, Debug, PartialEq)]
pub enum Earlier {
    /// It was the same request: the job of then, as it is now.
    Replayed(Box<Job>),
    /// It was another request.
    KeyReused,
}

/// One page of a list of jobs, newest first.
#[derive(Clone, Debug, PartialEq)]
pub struct JobPage {
    /// The jobs.
    pub jobs: Vec<Job>,
    /// Where the next page begins; `None` at the end.
    pub next: Option<JobId>,
}

/// Jobs: accepted, listed, moved along.
#[async_trait]
pub trait Jobs: Send + Sync {
    /// Writes idempotency record, job, charge, ledger and outbox rows in one transaction.
    async fn accept(&self, acceptance: &Acceptance) -> Result<Accepted, PortError>;
    /// What an earlier request with this fingerprint left.
    async fn replay(
        &self,
        fingerprint: &str,
        body_hash: &str,
        now: Timestamp,
    ) -> Result<Option<Earlier>, PortError>;
    /// A job, read consistently, whoever owns it: the caller checks the account.
    async fn job(&self, id: &JobId) -> Result<Option<Job>, PortError>;
    /// An account's jobs older than `before`, newest first.
    async fn jobs(
        &self,
        account: &AccountId,
        status: Option<JobStatus>,
        before: Option<&JobId>,
        limit: u32,
    ) -> Result<JobPage, PortError>;
    /// Writes a move with everything that belongs to it; `false` when it is stale and nothing was written.
    async fn apply(&self, transition: &Transition) -> Result<bool, PortError>;
    /// A sign of life: extends the lease and shows progress; `false` when the attempt no longer holds the job.
    async fn extend_lease(
        &self,
        job: &JobId,
        attempt: u32,
        until: Timestamp,
        progress: u8,
    ) -> Result<bool, PortError>;
}
