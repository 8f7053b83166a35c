//! The outbox.

use async_trait::async_trait;

use super::PortError;
use crate::event::{Event, Subject};
use crate::id::{EventId, JobId};
use crate::ticket::Ticket;
use crate::timestamp::Timestamp;

/// Key of an outbox row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum OutboxKey {
    /// The ticket of a job.
    Ticket(JobId),
    /// An event, in the partition of its subject.
    Event(Subject, EventId),
}

/// A due row.
#[derive(Clone, Debug, PartialEq)]
pub enum Due {
    /// A ticket that no worker has claimed.
    Ticket {
        /// The ticket.
        ticket: Ticket,
        /// Number of resends so far.
        sent: u32,
    },
    /// An event that was not published.
    Event(Event),
    /// A job whose lease expired without a heartbeat.
    Lease(JobId),
}

/// A position between two due rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuePosition {
    /// Due time of the row before it.
    pub due: Timestamp,
    /// Storage key of the row before it.
    pub row: String,
}

/// One page of the due rows of a shard, oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DuePage {
    /// The due rows.
    pub rows: Vec<Due>,
    /// Storage keys of due rows that this release cannot read, such as those of a newer release. They are not changed.
    pub unreadable: Vec<String>,
    /// Where the next page begins; `None` at the end.
    pub next: Option<DuePosition>,
}

/// The outbox rows.
#[async_trait]
pub trait Outbox: Send + Sync {
    /// Returns due rows of a shard after `after`, reading at most `limit` rows.
    async fn due(
        &self,
        shard: u8,
        now: Timestamp,
        after: Option<&DuePosition>,
        limit: u32,
    ) -> Result<DuePage, PortError>;
    /// Postpones a ticket that was resent `sent` times until `due`. Does nothing if its row was deleted.
    async fn postpone(&self, job: &JobId, sent: u32, due: Timestamp) -> Result<(), PortError>;
    /// Deletes rows, if they exist.
    async fn remove(&self, rows: &[OutboxKey]) -> Result<(), PortError>;
}
