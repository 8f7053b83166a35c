//! Jobs.

use async_trait::async_trait;

use super::PortError;
use crate::event::Event;
use crate::id::{AccountId, JobId};
use crate::job::{Job, JobStatus};
use crate::plan::Plan;
use crate::timestamp::Timestamp;
use crate::transition::{TicketChange, Transition};
use crate::usage::QuotaExceeded;

/// What is written when a job is accepted, in one transaction.
#[derive(Clone, Debug)]
pub struct Acceptance {
    /// The job, `queued`.
    pub job: Job,
    /// Plan of the account, whose quota the charge must fit.
    pub plan: Plan,
    /// Fingerprint of the idempotency key.
    pub fingerprint: String,
    /// Hash of the request body.
    pub body_hash: String,
    /// The event `job.created`.
    pub event: Event,
    /// The ticket row.
    pub ticket: TicketChange,
}

/// The outcome of accepting a job.
#[derive(Clone, Debug, PartialEq)]
pub enum AcceptOutcome {
    /// The job was written.
    New,
    /// The idempotency key was used before.
    PreviousRequest(PreviousRequest),
    /// The quota of the plan is exceeded.
    QuotaExceeded(QuotaExceeded),
}

/// What an earlier request with the same idempotency key created.
#[derive(Clone, Debug, PartialEq)]
pub enum PreviousRequest {
    /// The request was the same: its job in its current state.
    Replayed(Box<Job>),
    /// The request was different.
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

/// Jobs and their transitions.
#[async_trait]
pub trait Jobs: Send + Sync {
    /// Writes idempotency, job, counter, ledger and outbox rows in one transaction.
    async fn accept(&self, acceptance: &Acceptance) -> Result<AcceptOutcome, PortError>;
    /// Returns what an earlier request with this fingerprint created.
    async fn replay(
        &self,
        fingerprint: &str,
        body_hash: &str,
        now: Timestamp,
    ) -> Result<Option<PreviousRequest>, PortError>;
    /// Returns a job of any account, with a consistent read. The caller checks the account.
    async fn job(&self, id: &JobId) -> Result<Option<Job>, PortError>;
    /// Returns an account's jobs older than `before`, newest first.
    async fn jobs(
        &self,
        account: &AccountId,
        status: Option<JobStatus>,
        before: Option<&JobId>,
        limit: u32,
    ) -> Result<JobPage, PortError>;
    /// Writes a transition with everything that belongs to it; `false` if it is stale and nothing was written.
    async fn apply(&self, transition: &Transition) -> Result<bool, PortError>;
    /// Heartbeat: renews the lease and stores the progress; `false` if the attempt has lost the lease.
    async fn extend_lease(
        &self,
        job: &JobId,
        attempt: u32,
        until: Timestamp,
        progress: u8,
    ) -> Result<bool, PortError>;
}
