//! Usage.

use async_trait::async_trait;

use super::PortError;
use crate::id::AccountId;
use crate::timestamp::{Period, Timestamp};
use crate::usage::Used;

/// Usage counters of accounts and of anonymous clients.
#[async_trait]
pub trait Usage: Send + Sync {
    /// Returns the usage in the day and month of `period`.
    async fn used(&self, account: &AccountId, period: Period) -> Result<Used, PortError>;
    /// Sets counters; `None` leaves a counter unchanged.
    async fn set_used(
        &self,
        id: &AccountId,
        period: Period,
        today: Option<u32>,
        this_month: Option<u32>,
    ) -> Result<(), PortError>;
    /// Counts a request under `name` in the minute of `now`; `false` if `most` (1 or more) were already counted.
    async fn count_anonymous(
        &self,
        name: &str,
        most: u32,
        now: Timestamp,
    ) -> Result<bool, PortError>;
}
