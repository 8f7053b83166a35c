//! Erasure of an account.

use std::time::Duration;

use async_trait::async_trait;

use super::PortError;
use crate::id::{AccountId, DocumentId, JobId};
use crate::timestamp::Timestamp;

/// How long a request that was admitted before an account was closed may still be at work: longer than any function of
/// the API runs.
pub const IN_FLIGHT: Duration = Duration::from_secs(30);

/// How long a URL that was handed out before may still bring an upload.
pub const UPLOADS_ARRIVE: Duration = Duration::from_secs(15 * 60);

/// Something that an account has left beside its library and its objects.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trace {
    /// A job, listed or not, with its ledger, what it has to send, and its idempotency record.
    Job(JobId),
    /// The ledger of an import and its idempotency record. The document itself may be gone long since.
    Import(DocumentId),
    /// The idempotency record of an authorised upload, by its fingerprint.
    Upload(String),
}

/// Some of an account's traces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TracePage {
    /// The traces.
    pub traces: Vec<Trace>,
    /// The store's name for the place behind them; `None` at the end.
    pub next: Option<String>,
}

/// Erases accounts, for the operator. Every method may be called again after it did a part only.
#[async_trait]
pub trait Erasure: Send + Sync {
    /// Closes an account: its keys are revoked, it gets no new ones, and no token stands for it any more. Says since when it
    /// is closed, the first time of all; `None` when there is no such account.
    async fn close_account(
        &self,
        account: &AccountId,
        now: Timestamp,
    ) -> Result<Option<Timestamp>, PortError>;
    /// Some of the account's traces behind `after`; the newest may be missing for a moment.
    async fn traces(
        &self,
        account: &AccountId,
        after: Option<&str>,
        limit: u32,
    ) -> Result<TracePage, PortError>;
    /// Removes everything that belongs to a trace.
    async fn erase_trace(&self, account: &AccountId, trace: &Trace) -> Result<(), PortError>;
    /// Removes what is still to be told of a document.
    async fn erase_events(&self, document: &DocumentId) -> Result<(), PortError>;
    /// Removes the account's webhooks and automation hooks, those that ended too, with their deliveries and idempotency
    /// records, and says how many subscriptions there were.
    async fn erase_subscriptions(&self, account: &AccountId) -> Result<u64, PortError>;
    /// Removes every object of the account and says how many there were.
    async fn erase_objects(&self, account: &AccountId) -> Result<u64, PortError>;
    /// Removes keys, identities and counters of the account and, last of all, the account; says how many keys and
    /// identities there were.
    async fn erase_account(&self, account: &AccountId) -> Result<u64, PortError>;
}
