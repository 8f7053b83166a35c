//! Erasure of an account.

use std::time::Duration;

use async_trait::async_trait;

use super::PortError;
use crate::id::{AccountId, DocumentId, JobId};
use crate::timestamp::Timestamp;

/// Maximum duration of a request that was admitted before its account was closed: longer than the time limit of any API
/// function.
pub const IN_FLIGHT: Duration = Duration::from_secs(30);

/// Lifetime of a presigned upload URL.
pub const UPLOAD_URL_LIFETIME: Duration = Duration::from_secs(15 * 60);

/// A record of an account outside its library and its objects.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AccountRecord {
    /// A job, listed or internal, with its ledger, outbox and idempotency rows.
    Job(JobId),
    /// The ledger and idempotency rows of an import. Its document may have been deleted.
    Import(DocumentId),
    /// The idempotency row of an upload authorization, by its fingerprint.
    Upload(String),
}

/// One page of an account's records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccountRecordPage {
    /// The records.
    pub records: Vec<AccountRecord>,
    /// Where the next page begins; `None` at the end.
    pub next: Option<String>,
}

/// Erasure of accounts by the operator. Every method may be repeated after a partial failure.
#[async_trait]
pub trait Erasure: Send + Sync {
    /// Closes an account: revokes its keys, allows no new ones, and removes the link to its identities. Returns when the
    /// account was first closed; `None` if it does not exist.
    async fn close_account(
        &self,
        account: &AccountId,
        now: Timestamp,
    ) -> Result<Option<Timestamp>, PortError>;
    /// Returns records of the account after `after`. The read is eventually consistent.
    async fn records(
        &self,
        account: &AccountId,
        after: Option<&str>,
        limit: u32,
    ) -> Result<AccountRecordPage, PortError>;
    /// Deletes a record with everything that belongs to it.
    async fn erase_record(
        &self,
        account: &AccountId,
        record: &AccountRecord,
    ) -> Result<(), PortError>;
    /// Deletes unpublished events of a document.
    async fn erase_events(&self, document: &DocumentId) -> Result<(), PortError>;
    /// Deletes the account's webhooks and automation hooks, including disabled ones, with their deliveries and idempotency
    /// rows. Returns the number of subscriptions.
    async fn erase_subscriptions(&self, account: &AccountId) -> Result<u64, PortError>;
    /// Deletes every object of the account and returns their number.
    async fn erase_objects(&self, account: &AccountId) -> Result<u64, PortError>;
    /// Deletes the account's keys, identities and counters, and finally the account. Returns the number of keys and
    /// identities.
    async fn erase_account(&self, account: &AccountId) -> Result<u64, PortError>;
}
