//! Counts of one sweep.

use std::ops::Add;

use thiserror::Error;

/// Number of rows processed, by action.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SweepReport {
    /// Tickets resent.
    pub resent: usize,
    /// Jobs released because their lease expired without a heartbeat.
    pub released: usize,
    /// Events published.
    pub published: usize,
    /// Ticket rows removed because their jobs are finished or deleted.
    pub removed: usize,
    /// Jobs dead-lettered because no worker started them within [`START_WITHIN`](domain::retry::START_WITHIN).
    pub dead_lettered: usize,
    /// Imports abandoned because their lease expired, with refund.
    pub abandoned: usize,
    /// Deleted documents and abandoned drafts whose objects were purged.
    pub purged: usize,
    /// Delivery tickets sent.
    pub deliveries: usize,
    /// Rows and shards that failed.
    pub failed: usize,
}

/// At least one row or shard failed; the log has the error of each.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("the sweep failed for {failed} rows or shards", failed = .0.failed)]
pub struct Incomplete(pub SweepReport);

impl SweepReport {
    pub(crate) fn into_result(self) -> Result<Self, Incomplete> {
        match self.failed {
            0 => Ok(self),
            _ => Err(Incomplete(self)),
        }
    }
}

impl Add for SweepReport {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            resent: self.resent + other.resent,
            released: self.released + other.released,
            published: self.published + other.published,
            removed: self.removed + other.removed,
            dead_lettered: self.dead_lettered + other.dead_lettered,
            abandoned: self.abandoned + other.abandoned,
            purged: self.purged + other.purged,
            deliveries: self.deliveries + other.deliveries,
            failed: self.failed + other.failed,
        }
    }
}
