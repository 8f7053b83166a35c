//! State of the fakes.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;

use domain::account::{Account, StoredKey};
use domain::event::{self, Event};
use domain::id::{AccountId, DocumentId, EventId, JobId, SourceKey};
use domain::job::{Charge, Job};
use domain::key::KeyId;
use domain::processor::Processor;
use domain::step_cache::StepArtifact;
use domain::ticket::Ticket;
use domain::timestamp::{Period, Timestamp};
use domain::usage::Used;

use super::deliveries::DeliveryState;
use super::library::LibraryState;
use super::queues::{QueueState, SentTicket};
use super::receivers::Receivers;
use super::subscriptions::SubscriptionState;

#[derive(Default)]
pub(super) struct State {
    pub(super) accounts: BTreeMap<AccountId, Account>,
    /// When accounts were closed.
    pub(super) closed: BTreeMap<AccountId, Timestamp>,
    pub(super) keys: BTreeMap<KeyId, StoredKey>,
    /// Account of each identity, by its fingerprint.
    pub(super) identities: BTreeMap<String, AccountId>,
    /// Requests by credential and second.
    pub(super) bursts: HashMap<(String, i64), u32>,
    pub(super) counters: HashMap<(AccountId, String), i64>,
    pub(super) idempotency: HashMap<String, Record>,
    pub(super) jobs: BTreeMap<JobId, Job>,
    pub(super) charges: BTreeMap<JobId, Charge>,
    pub(super) refunds: BTreeMap<JobId, Charge>,
    /// The charged account of each import.
    pub(super) import_charges: BTreeMap<DocumentId, AccountId>,
    pub(super) tickets: BTreeMap<JobId, TicketRow>,
    pub(super) events: BTreeMap<(event::Subject, EventId), EventRow>,
    /// Shard and due time of unreadable rows, by key.
    pub(super) unreadable: BTreeMap<String, (u8, Timestamp)>,
    pub(super) sent: Vec<SentTicket>,
    pub(super) published: Vec<Event>,
    pub(super) objects: BTreeMap<String, Object>,
    /// Artifacts of steps, by object key.
    pub(super) steps: BTreeMap<String, StepArtifact>,
    pub(super) off: BTreeSet<Processor>,
    pub(super) library: LibraryState,
    pub(super) subscribers: SubscriptionState,
    pub(super) post: DeliveryState,
    pub(super) queues: QueueState,
    pub(super) receivers: Receivers,
}

pub(super) struct Record {
    pub(super) body_hash: String,
    pub(super) subject: Subject,
    /// The account, if the record is of an upload.
    pub(super) uploader: Option<AccountId>,
    pub(super) expires_at: Timestamp,
}

pub(super) enum Subject {
    Job(JobId),
    Source(SourceKey),
    Document(DocumentId),
}

pub(super) struct TicketRow {
    pub(super) ticket: Ticket,
    pub(super) sent: u32,
    pub(super) due: Timestamp,
}

pub(super) struct EventRow {
    pub(super) event: Event,
    pub(super) due: Timestamp,
}

pub(super) struct Object {
    pub(super) path: PathBuf,
    pub(super) content_type: String,
    pub(super) etag: String,
    pub(super) size_bytes: u64,
}

impl State {
    /// Usage of a day and its month.
    pub(super) fn used(&self, account: &AccountId, period: Period) -> Used {
        let count = |name: String| {
            let count = self.counters.get(&(account.clone(), name)).copied();
            u32::try_from(count.unwrap_or(0).max(0)).unwrap_or(u32::MAX)
        };
        Used {
            today: count(period.day()),
            this_month: count(period.month()),
        }
    }

    /// Adds `units` to the counters of a day and its month.
    pub(super) fn count(&mut self, account: &AccountId, period: Period, units: i64) {
        for name in [period.day(), period.month()] {
            *self.counters.entry((account.clone(), name)).or_default() += units;
        }
    }

    /// The unexpired record of an idempotency key.
    pub(super) fn recorded(&self, fingerprint: &str, now: Timestamp) -> Option<&Record> {
        let record = self.idempotency.get(fingerprint)?;
        (record.expires_at > now).then_some(record)
    }
}
