//! What one run of the sweep did.

use std::ops::Add;

use thiserror::Error;

/// Counts of what was done, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Tickets sent again.
    pub resent: usize,
    /// Jobs taken from a worker that showed no sign of life.
    pub released: usize,
    /// Events published.
    pub published: usize,
    /// Ticket rows removed, because their jobs need no ticket any more.
    pub removed: usize,
    /// Jobs given up, because nothing ever started them.
    pub buried: usize,
    /// Imports given up, because their function is gone.
    pub given_up: usize,
    /// Deleted documents of which something was still there or may have been.
    pub purged: usize,
    /// Tickets of deliveries sent.
    pub deliveries: usize,
    /// Rows and shards that could not be dealt with.
    pub failed: usize,
}

/// Something could not be dealt with; the log says what.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{failed} of the rows and shards could not be dealt with", failed = .0.failed)]
pub struct Incomplete(pub Tally);

impl Tally {
    pub(crate) fn verdict(self) -> Result<Self, Incomplete> {
        match self.failed {
            0 => Ok(self),
            _ => Err(Incomplete(self)),
        }
    }
}

impl Add for Tally {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            resent: self.resent + other.resent,
            released: self.released + other.released,
            published: self.published + other.published,
            removed: self.removed + other.removed,
            buried: self.buried + other.buried,
            given_up: self.given_up + other.given_up,
            purged: self.purged + other.purged,
            deliveries: self.deliveries + other.deliveries,
            failed: self.failed + other.failed,
        }
    }
}
