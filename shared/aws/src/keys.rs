//! Primary keys of the items of all tables.

pub(crate) mod library;
pub(crate) mod subscriptions;

use domain::event::Subject;
use domain::id::{AccountId, EventId, JobId};
use domain::key::KeyId;
use domain::processor::Processor;
use domain::timestamp::Period;

use crate::item::{self, Item, Key, PARTITION, SORT};

const JOB: &str = "JOB";
const TICKET: &str = "OUTBOX#ticket";
const EVENTS: &str = "OUTBOX#event#";
/// Prefix of the sort keys of identity pointers and of the partition keys of identities.
pub(crate) const IDENTITIES: &str = "IDENTITY#";
const IDENTITY: &str = "IDENTITY";
/// Prefix of the sort keys of key pointers.
pub(crate) const POINTERS: &str = "KEY#";
/// Index of an account's jobs and its other items of the jobs table: `accountId`, `listedAs`.
pub(crate) const BY_ACCOUNT: &str = "byAccount";
/// Partition key of that index.
pub(crate) const ACCOUNT_ID: &str = "accountId";
/// Sort key of that index: a job's identifier or the result of [`unlisted_sort_key`].
pub(crate) const LISTED_AS: &str = "listedAs";
/// Sorts after every listed job and before every result of [`unlisted_sort_key`].
pub(crate) const AFTER_JOBS: &str = "job_~";
/// Sparse index of due items: `dueShard`, `dueAt`.
pub(crate) const DUE: &str = "due";

/// An account.
pub(crate) fn account(id: &AccountId) -> Key {
    Key::new(format!("ACCOUNT#{id}"), "ACCOUNT")
}

/// The row under an account that points to one of its keys.
pub(crate) fn pointer(account: &AccountId, key: &KeyId) -> Key {
    Key::new(format!("ACCOUNT#{account}"), format!("{POINTERS}{key}"))
}

/// A key.
pub(crate) fn api_key(id: &KeyId) -> Key {
    Key::new(format!("KEY#{id}"), "KEY")
}

/// An identity, by the hash of issuer and subject.
pub(crate) fn identity(hash: &str) -> Key {
    Key::new(format!("{IDENTITIES}{hash}"), IDENTITY)
}

/// The row under an account that points to an identity.
pub(crate) fn identity_pointer(account: &AccountId, hash: &str) -> Key {
    Key::new(format!("ACCOUNT#{account}"), format!("{IDENTITIES}{hash}"))
}

/// The identity that a pointer row points to.
pub(crate) fn identity_pointed_to(item: &Item) -> Option<Key> {
    let hash = item::read_text(item, SORT)?.strip_prefix(IDENTITIES)?;
    Some(identity(hash))
}

/// An account's counters of one month.
pub(crate) fn usage(account: &AccountId, period: Period) -> Key {
    Key::new(
        format!("ACCOUNT#{account}"),
        format!("USAGE#{}", period.month()),
    )
}

/// A job.
pub(crate) fn job(id: &JobId) -> Key {
    Key::new(format!("JOB#{id}"), JOB)
}

/// The ledger row of a job's charge.
pub(crate) fn charge(job: &JobId) -> Key {
    Key::new(format!("JOB#{job}"), "LEDGER#charge")
}

/// The ledger row of a job's refund.
pub(crate) fn refund(job: &JobId) -> Key {
    Key::new(format!("JOB#{job}"), "LEDGER#refund")
}

/// The outbox row of a job's ticket.
pub(crate) fn ticket(job: &JobId) -> Key {
    Key::new(format!("JOB#{job}"), TICKET)
}

/// The outbox row of an event, in the partition of the job or document that it concerns.
pub(crate) fn event(subject: &Subject, event: &EventId) -> Key {
    let partition = match subject {
        Subject::Job(job) => format!("JOB#{job}"),
        Subject::Document(document) => format!("DOC#{document}"),
        Subject::Webhook(webhook) => format!("WEBHOOK#{webhook}"),
    };
    Key::new(partition, format!("{EVENTS}{event}"))
}

/// The record of an idempotency key.
pub(crate) fn idempotency(fingerprint: &str) -> Key {
    Key::new(format!("IDEMPOTENCY#{fingerprint}"), "IDEMPOTENCY")
}

/// The rate-limit counter of anonymous requests in one minute since the Unix epoch.
pub(crate) fn public_counter(name: &str, minute: i64) -> Key {
    Key::new(format!("PUBLIC#{name}#{minute}"), "PUBLIC")
}

/// The operator's switch of a processor.
pub(crate) fn switch(processor: Processor) -> Key {
    Key::new(format!("PROCESSOR#{}", processor.name()), "SWITCH")
}

/// The job that an item of the jobs table belongs to.
pub(crate) fn job_of(item: &Item) -> Option<JobId> {
    let pk = item::read_text(item, PARTITION)?;
    pk.strip_prefix("JOB#")?.parse().ok()
}

/// The key that a pointer row points to.
pub(crate) fn pointed_to(item: &Item) -> Option<KeyId> {
    let sk = item::read_text(item, SORT)?;
    KeyId::parse(sk.strip_prefix(POINTERS)?)
}

/// The sort key in the index of an account's jobs for an item that no list shows: after all jobs. Erasure of the account
/// finds the item by it.
pub(crate) fn unlisted_sort_key(name: &str) -> String {
    format!("~{name}")
}

/// Classifies an item of an account for erasure, by its key.
#[cfg(feature = "operator")]
pub(crate) fn account_record_of(item: &Item) -> Option<domain::ports::AccountRecord> {
    use domain::ports::AccountRecord;
    let (kind, name) = item::read_text(item, PARTITION)?.split_once('#')?;
    match kind {
        "JOB" => Some(AccountRecord::Job(name.parse().ok()?)),
        "IMPORT" => Some(AccountRecord::Import(name.parse().ok()?)),
        "IDEMPOTENCY" => Some(AccountRecord::Upload(name.to_owned())),
        _ => None,
    }
}

/// Kind of an item of the index `due`.
pub(crate) enum Row {
    /// A leased job.
    Job(JobId),
    /// A ticket.
    Ticket,
    /// An event.
    Event,
}

/// Classifies an item of the index `due` by its sort key.
pub(crate) fn row_of(item: &Item) -> Option<Row> {
    match item::read_text(item, SORT)? {
        JOB => Some(Row::Job(job_of(item)?)),
        TICKET => Some(Row::Ticket),
        sk if sk.starts_with(EVENTS) => Some(Row::Event),
        _ => None,
    }
}
