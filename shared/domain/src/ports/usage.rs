//! Usage.

use async_trait::async_trait;

use super::PortError;
use crate::id::AccountId;
use crate::timestamp::{Period, Timestamp};
use crate::usage::Used;

/// Counters of what accounts, and clients without one, have used.
#[async_trait]
pub trait Usage: Send + Sync {
    /// What was used in the day and month of `period`.
    async fn used(&self, account: &AccountId, period: Period) -> Result<Used, PortError>;
    /// Sets what has been used; `None` leaves a counter as it is.
    async fn set_used(
        &self,
        id: &AccountId,
        period: Period,
        today: Option<u32>,
        this_month: Option<u32>,
    ) -> Result<(), PortError>;
    /// Counts one more under `name` in the minute of `now`, unless there are `most` (1 or more) already; `false` then.
    async fn count_public(&self, name: &str, most: u32, now: Timestamp) -> Result<bool, PortError>;
}
