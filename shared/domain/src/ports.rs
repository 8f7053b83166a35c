//! What the rules need of the world: one small trait for each thing that is done, so that a function's signature says
//! what it may do, exactly as its role does.

pub mod erasure;
pub mod library;
pub mod public;
pub mod results;
pub mod step_cache;
pub mod subscriptions;
pub mod switch;

use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::Value;
use thiserror::Error;

use crate::account::{Account, Admission, Identity, StoredKey};
use crate::event::Event;
use crate::filename::Filename;
use crate::id::{AccountId, EventId, JobId, SourceKey};
use crate::job::{Job, JobStatus, TicketChange, Transition};
use crate::key::{KeyId, SecretHash};
use crate::operation::Processor;
use crate::outbox::{Due, OutboxKey};
use crate::plan::Plan;
use crate::source::SourceUrl;
use crate::ticket::Ticket;
use crate::timestamp::{Period, Timestamp};
use crate::usage::{Spent, Used};

/// The world did not do what was asked of it.
#[derive(Debug, Error)]
pub enum PortError {
    /// Others write the same rows; the attempts allowed for that are used up. The caller may try again soon.
    #[error("too much contention on the same rows")]
    Contended,
    /// The service did not answer, refused, or answered something that cannot be read.
    #[error("{service}: {reason}")]
    Unavailable {
        /// Which service.
        service: &'static str,
        /// What it said, for operators; holds no secret, content or URL.
        reason: String,
    },
}

/// Judges keys: one conditional update finds the key, checks its secret and counts the burst.
#[async_trait]
pub trait AdmitKeys: Send + Sync {
    /// Whether the key may make one more request at `now`.
    async fn admit(
        &self,
        key: &KeyId,
        secret: &SecretHash,
        now: Timestamp,
    ) -> Result<Admission, PortError>;
}

/// Judges whom an OIDC token stands for, once its signature is checked.
#[async_trait]
pub trait AdmitIdentities: Send + Sync {
    /// Whether `identity` may make one more request at `now`. One that is seen for the first time gets a Free account,
    /// named `new_account`.
    async fn admit_identity(
        &self,
        identity: &Identity,
        new_account: &AccountId,
        now: Timestamp,
    ) -> Result<Admission, PortError>;
}

/// Reads the public keys that the identity provider signs tokens with.
#[async_trait]
pub trait ReadSigningKeys: Send + Sync {
    /// The JSON Web Key Set [RFC 7517] of `issuer`.
    async fn signing_keys(&self, issuer: &str) -> Result<Value, PortError>;
}

/// Judges every credential that the API takes.
pub trait AdmitCallers: AdmitKeys + AdmitIdentities + ReadSigningKeys {}

impl<P: AdmitKeys + AdmitIdentities + ReadSigningKeys> AdmitCallers for P {}

/// Reads what an account has used.
#[async_trait]
pub trait ReadUsage: Send + Sync {
    /// What was used in the day and month of `period`.
    async fn used(&self, account: &AccountId, period: Period) -> Result<Used, PortError>;
}

/// The operator's work on accounts.
#[async_trait]
pub trait ManageAccounts: Send + Sync {
    /// Stores a new account.
    async fn create_account(&self, account: &Account) -> Result<(), PortError>;
    /// Reads an account.
    async fn account(&self, id: &AccountId) -> Result<Option<Account>, PortError>;
    /// Moves an account and all its keys to another plan; `false` when there is no such account.
    async fn set_plan(&self, id: &AccountId, plan: Plan) -> Result<bool, PortError>;
    /// Lets whoever a token stands for act for an account; `false` when there is no such account.
    async fn link_identity(&self, id: &AccountId, identity: &Identity) -> Result<bool, PortError>;
    /// Sets what has been used; `None` leaves a counter as it is.
    async fn set_used(
        &self,
        id: &AccountId,
        period: Period,
        today: Option<u32>,
        this_month: Option<u32>,
    ) -> Result<(), PortError>;
}

/// What became of a new key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyCreation {
    /// It is stored and works.
    Created,
    /// The account holds as many live keys as its plan allows.
    LimitReached,
    /// There is no such account, or it is on another plan than the key.
    AccountChanged,
}

/// Creates and revokes the keys of accounts.
#[async_trait]
pub trait ManageKeys: Send + Sync {
    /// Stores a new key, unless its account holds as many live ones as the plan allows: of any number of creations at
    /// the same time, exactly as many succeed as there is room for.
    async fn create_key(&self, key: &StoredKey) -> Result<KeyCreation, PortError>;
    /// The keys of an account, revoked ones too.
    async fn keys(&self, account: &AccountId) -> Result<Vec<StoredKey>, PortError>;
    /// Revokes a key, which makes room for another one; `false` when there is no such key. With an `owner` only that
    /// account's keys are found. A key that is revoked already stays so since then.
    async fn revoke_key(
        &self,
        key: &KeyId,
        owner: Option<&AccountId>,
        now: Timestamp,
    ) -> Result<bool, PortError>;
}

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

/// Accepts jobs.
#[async_trait]
pub trait AcceptJobs: Send + Sync {
    /// Writes idempotency record, job, charge, ledger and outbox rows in one transaction.
    async fn accept(&self, acceptance: &Acceptance) -> Result<Accepted, PortError>;
    /// What an earlier request with this fingerprint left.
    async fn replay(
        &self,
        fingerprint: &str,
        body_hash: &str,
        now: Timestamp,
    ) -> Result<Option<Earlier>, PortError>;
}

/// One page of a list of jobs, newest first.
#[derive(Clone, Debug, PartialEq)]
pub struct JobPage {
    /// The jobs.
    pub jobs: Vec<Job>,
    /// Where the next page begins; `None` at the end.
    pub next: Option<JobId>,
}

/// Reads jobs.
#[async_trait]
pub trait ReadJobs: Send + Sync {
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
}

/// Moves jobs along.
#[async_trait]
pub trait MoveJobs: ReadJobs {
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

/// A place between two things that are due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuePosition {
    /// When the row before it is due.
    pub due: Timestamp,
    /// The store's name for the row before it.
    pub row: String,
}

/// One page of what is due in a shard, oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DuePage {
    /// What is due.
    pub rows: Vec<Due>,
    /// The store's names for rows that are due and that this release cannot read, such as those of a newer one. They
    /// stay where they are.
    pub unreadable: Vec<String>,
    /// Where the next page begins; `None` at the end.
    pub next: Option<DuePosition>,
}

/// Keeps the rows of the outbox.
#[async_trait]
pub trait KeepOutbox: Send + Sync {
    /// What is due in a shard behind `after`, looking at no more than `limit` rows.
    async fn due(
        &self,
        shard: u8,
        now: Timestamp,
        after: Option<&DuePosition>,
        limit: u32,
    ) -> Result<DuePage, PortError>;
    /// Puts off a ticket that was sent `sent` times until `due`; does nothing when its row is gone.
    async fn postpone(&self, job: &JobId, sent: u32, due: Timestamp) -> Result<(), PortError>;
    /// Removes rows; those that are gone already do not matter.
    async fn remove(&self, rows: &[OutboxKey]) -> Result<(), PortError>;
}

/// Sends tickets.
#[async_trait]
pub trait SendTickets: Send + Sync {
    /// Sends a ticket to a processor's queue, fairly among `group`s (accounts), held back for `delay` (at most 15 minutes).
    async fn send(
        &self,
        processor: Processor,
        group: &str,
        ticket: &Ticket,
        delay: Duration,
    ) -> Result<(), PortError>;
}

/// Publishes events.
#[async_trait]
pub trait PublishEvents: Send + Sync {
    /// Puts events on the bus and returns the identifiers of those that it took.
    async fn publish(&self, events: &[Event]) -> Result<Vec<EventId>, PortError>;
}

/// What the object store knows about an upload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFacts {
    /// Size in bytes.
    pub size_bytes: u64,
    /// The media type that it was uploaded with.
    pub content_type: String,
    /// The entity tag.
    pub etag: String,
}

/// Looks at uploads without reading them.
#[async_trait]
pub trait InspectSources: Send + Sync {
    /// The facts of an account's upload; `None` when it is unknown, another account's, or was never uploaded.
    async fn inspect(
        &self,
        account: &AccountId,
        source: &SourceKey,
    ) -> Result<Option<SourceFacts>, PortError>;
}

/// Moves documents between the object store and scratch.
#[async_trait]
pub trait MoveDocuments: Send + Sync {
    /// Streams `object` to `path` if it still has this entity tag; `false` when it is gone or another.
    async fn fetch(&self, object: &str, etag: &str, path: &Path) -> Result<bool, PortError>;
    /// Streams the file at `path` to `object`.
    async fn store(&self, path: &Path, object: &str, content_type: &str) -> Result<(), PortError>;
}

/// A file that was fetched from a public address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RemoteFile {
    /// Size in bytes.
    pub size_bytes: u64,
    /// The media type that its server claims.
    pub content_type: Option<String>,
    /// The name that its server or its address gives it, cleaned.
    pub filename: Option<Filename>,
}

/// Why a remote file could not be had.
#[derive(Debug, Error)]
pub enum RemoteFault {
    /// The guard refuses what its URL leads to.
    #[error("the URL may not be fetched")]
    Blocked,
    /// Its server cannot be reached, or answers something else than a file.
    #[error("the URL could not be fetched")]
    Failed,
    /// It is larger than allowed.
    #[error("what the URL holds is too large")]
    TooLarge,
    /// It came and could not be kept: the service is at fault.
    #[error(transparent)]
    NotKept(#[from] PortError),
}

/// Fetches files from public addresses, under the guard of outgoing requests.
#[async_trait]
pub trait FetchRemote: Send + Sync {
    /// Streams what `url` holds to `path`, at most `most_bytes`. Nothing at `own_hosts` is asked, or at what else is known
    /// to lead back to the service.
    async fn fetch_remote(
        &self,
        url: &SourceUrl,
        most_bytes: u64,
        own_hosts: &[String],
        path: &Path,
    ) -> Result<RemoteFile, RemoteFault>;
}

/// An authorised upload.
#[derive(Clone, PartialEq, Eq)]
pub struct UploadGrant {
    /// The presigned URL.
    pub url: String,
    /// The headers that must be sent as they are, in order.
    pub headers: Vec<(String, String)>,
    /// When the URL stops working.
    pub expires_at: Timestamp,
}

impl std::fmt::Debug for UploadGrant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("UploadGrant(***)")
    }
}

/// Signs URLs that let a client reach one object for a short while.
#[async_trait]
pub trait SignUrls: Send + Sync {
    /// A PUT of exactly this type and size to an object that does not exist yet.
    async fn upload_url(
        &self,
        account: &AccountId,
        source: &SourceKey,
        content_type: &str,
        size_bytes: u64,
        now: Timestamp,
    ) -> Result<UploadGrant, PortError>;
    /// A GET that answers with this type and downloads under this name.
    async fn download_url(
        &self,
        object: &str,
        content_type: &str,
        filename: &Filename,
    ) -> Result<String, PortError>;
}

/// What an earlier request with the same idempotency key left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remembered {
    /// Nothing: this request is the first.
    New,
    /// The same request: the source that it was given.
    Replayed(SourceKey),
    /// Another request.
    KeyReused,
}

/// Remembers authorised uploads by their idempotency key.
#[async_trait]
pub trait RememberUploads: Send + Sync {
    /// Records `source` of `account` under `fingerprint` unless something that has not expired at `now` is recorded
    /// there.
    async fn remember(
        &self,
        account: &AccountId,
        fingerprint: &str,
        body_hash: &str,
        source: &SourceKey,
        now: Timestamp,
        expires_at: Timestamp,
    ) -> Result<Remembered, PortError>;
}
