//! The outbox.

use async_trait::async_trait;

use super::PortError;
use crate::event::{Event, Subject};
use crate::id::{EventId, JobId};
use crate::ticket::Ticket;
use crate::timestamp::Timestamp;

/// A row of the outbox.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum OutboxKey {
    /// A job's ticket.
    Ticket(JobId),
    /// An event, beside what it is about.
    Event(Subject, EventId),
}

/// Something that is due.
#[derive(Clone, Debug, PartialEq)]
pub enum Due {
    /// A ticket that nobody has claimed.
    Ticket {
        /// What to send.
        ticket: Ticket,
        /// How often it was sent again already.
        sent: u32,
    },
    /// An event that was not published.
    Event(Event),
    /// A job whose worker has shown no sign of life.
    Lease(JobId),
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

/// The rows of the outbox.
#[async_trait]
pub trait Outbox: Send + Sync {
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
