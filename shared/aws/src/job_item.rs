//! The items of a job: its record, its ledger rows and its outbox rows.

use aws_sdk_dynamodb::types::AttributeValue;
use domain::event::Event;
use domain::job::{Charge, Job, JobStatus};
use domain::outbox::{SHARDS, event_shard, shard};
use domain::ports::PortError;
use domain::processor::Processor;
use domain::ticket::Ticket;
use domain::timestamp::Timestamp;
use serde::Serialize;
use serde_json::Value;

use crate::error::unavailable;
use crate::item::{self, EXPIRES, Item, SERVICE, number, text};
use crate::keys;

/// Partition key of the index `due`.
pub(crate) const DUE_SHARD: &str = "dueShard";
/// Sort key of the index `due`.
pub(crate) const DUE_AT: &str = "dueAt";
/// Identifier of the write that produced the item, by which a repeated write recognizes its own result.
pub(crate) const WRITE: &str = "writeId";
/// Attribute of an outbox row: the ticket or event, as JSON.
const PAYLOAD: &str = "payload";
/// Attribute of a ledger row: the fingerprint of the idempotency record.
pub(crate) const FINGERPRINT: &str = "fingerprint";
/// Number of times a ticket was resent.
pub(crate) const SENT: &str = "sent";
/// The client's metadata as JSON text: a DynamoDB map would lose the order of members and the precision of large numbers.
const METADATA: &str = "metadata";
/// The attributes that transitions and heartbeats change; all others are immutable.
pub(crate) const CHANGING: [&str; 19] = [
    "status",
    "refunded",
    "expiresAt",
    EXPIRES,
    "attempt",
    "attemptLimit",
    "updatedAt",
    "leaseUntil",
    "notBefore",
    "progress",
    "output",
    "error",
    "warnings",
    "timeline",
    "steps",
    "stepRuns",
    DUE_SHARD,
    DUE_AT,
    WRITE,
];

/// The item of a job, as written by the write `write`.
pub(crate) fn job(job: &Job, write: &str) -> Result<Item, PortError> {
    let mut item = item::write(&keys::job(&job.id), job)?;
    if let Some(metadata) = &job.metadata {
        item.insert(METADATA.to_owned(), text(json(metadata)?));
    }
    let listed_as = match job.is_internal() {
        false => job.id.to_string(),
        true => keys::unlisted_sort_key(job.id.as_str()),
    };
    item.insert(keys::LISTED_AS.to_owned(), text(listed_as));
    item.insert(WRITE.to_owned(), text(write));
    item.insert(EXPIRES.to_owned(), number(job.expires_at.seconds()));
    if let Some((shard, at)) = due(job) {
        item.extend(due_attributes(shard, at));
    }
    Ok(item)
}

/// Parses a job.
pub(crate) fn read_job(mut item: Item) -> Result<Job, PortError> {
    let key = item::key_of(&item);
    let metadata: Option<Value> = match item.remove(METADATA) {
        Some(AttributeValue::S(text)) => {
            Some(serde_json::from_str(&text).map_err(|_| item::unreadable(key.as_ref()))?)
        }
        Some(_) => return Err(item::unreadable(key.as_ref())),
        None => None,
    };
    let mut job: Job = item::read(item)?;
    job.metadata = metadata;
    Ok(job)
}

/// The shard and time of a job in the index `due`: the end of its lease while it is leased. A dead-lettered job is in a
/// shard that `sweep` does not query, where `octavo-admin redrive` finds it.
fn due(job: &Job) -> Option<(u8, Timestamp)> {
    match job.status {
        JobStatus::Processing => Some((shard(&job.id), job.lease_until?)),
        JobStatus::DeadLetter => Some((dead_letter_shard(job.processor), job.updated_at)),
        _ => None,
    }
}

/// The shard of a processor's dead-lettered jobs; numbered after the shards of the outbox.
pub(crate) fn dead_letter_shard(processor: Processor) -> u8 {
    let place = Processor::ALL.iter().position(|known| *known == processor);
    SHARDS + u8::try_from(place.unwrap_or(0)).unwrap_or(0)
}

fn due_attributes(shard: u8, at: Timestamp) -> [(String, AttributeValue); 2] {
    [
        (DUE_SHARD.to_owned(), number(shard)),
        (DUE_AT.to_owned(), number(at.milliseconds())),
    ]
}

/// The ledger row of a job's charge. It refers to the job's idempotency record, so that erasure finds both.
pub(crate) fn charge(job: &Job, fingerprint: &str) -> Item {
    let mut row = ledger(&keys::charge(&job.id), job, &job.charge, job.created_at);
    row.insert(FINGERPRINT.to_owned(), text(fingerprint));
    row
}

/// The ledger row of a job's refund.
pub(crate) fn refund(job: &Job, refund: &Charge) -> Item {
    ledger(&keys::refund(&job.id), job, refund, job.updated_at)
}

fn ledger(key: &item::Key, job: &Job, charge: &Charge, at: Timestamp) -> Item {
    item::new(
        key,
        [
            ("accountId", text(job.account_id.as_str())),
            ("credits", number(charge.credits)),
            ("units", number(charge.units)),
            ("day", text(&charge.day)),
            ("at", number(at.milliseconds())),
            (EXPIRES, number(job.expires_at.seconds())),
        ],
    )
}

/// The outbox row of a job's ticket.
pub(crate) fn ticket(job: &Job, ticket: &Ticket, due: Timestamp) -> Result<Item, PortError> {
    let place = (shard(&job.id), due);
    let mut row = outbox(&keys::ticket(&job.id), ticket, place, job.expires_at)?;
    row.insert(SENT.to_owned(), number(0));
    Ok(row)
}

/// The outbox row of an event; it expires with the job or document that the event concerns.
pub(crate) fn event(
    event: &Event,
    due: Timestamp,
    expires_at: Timestamp,
) -> Result<Item, PortError> {
    let subject = event.subject();
    let key = keys::event(&subject, &event.id);
    outbox(&key, event, (event_shard(&subject), due), expires_at)
}

fn outbox(
    key: &item::Key,
    payload: &impl Serialize,
    (shard, due): (u8, Timestamp),
    expires_at: Timestamp,
) -> Result<Item, PortError> {
    let mut row = item::new(
        key,
        [
            (PAYLOAD, text(json(payload)?)),
            (EXPIRES, number(expires_at.seconds())),
        ],
    );
    row.extend(due_attributes(shard, due));
    Ok(row)
}

/// The payload of an outbox row, as JSON.
pub(crate) fn payload(row: &Item) -> Option<&str> {
    item::read_text(row, PAYLOAD)
}

fn json(value: &impl Serialize) -> Result<String, PortError> {
    serde_json::to_string(value)
        .map_err(|error| unavailable(SERVICE, format!("cannot serialize a record: {error}")))
}
