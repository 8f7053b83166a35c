//! Health of receivers: successes and failures, and when a failing receiver is disabled.

use std::time::Duration;

use super::delivery::DeliveryOutcome;
use super::record::Subscription;
use super::schedule::{DISABLED_AFTER, MAX_FAILURE_GAP};
use crate::timestamp::Timestamp;

/// Minimum interval between two writes of the same health state, to limit writes for busy receivers.
pub const HEALTH_WRITE_INTERVAL: Duration = Duration::from_secs(60);

/// A change of a receiver's health to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HealthUpdate {
    /// An attempt succeeded.
    Succeeded,
    /// An attempt failed.
    Failed(FailedAttempt),
    /// The receiver has failed for too long and is disabled.
    Disable {
        /// Start of the series of failures. The receiver is disabled only if the same series still continues.
        failing_since: Timestamp,
    },
}

/// A failed attempt in a series of failures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FailedAttempt {
    /// Start of the series as read when the attempt started.
    pub expected_since: Option<Timestamp>,
    /// Start of the series.
    pub since: Timestamp,
    /// End of this attempt.
    pub at: Timestamp,
}

impl FailedAttempt {
    /// Returns the earliest time of a recorded success that supersedes this failure: a success at that time may represent a
    /// later one, up to [`HEALTH_WRITE_INTERVAL`] after it, that was not written.
    #[must_use]
    pub fn superseded_from(&self) -> Timestamp {
        let before = i64::try_from(HEALTH_WRITE_INTERVAL.as_millis()).unwrap_or(i64::MAX);
        Timestamp(self.at.milliseconds().saturating_sub(before))
    }
}

impl Subscription {
    /// Returns the health change after an attempt that ended at `now`. `self` is the subscription as read when the attempt
    /// started. `None` if the same state was written recently, or if the receiver responded 410 Gone, which is handled
    /// separately.
    ///
    /// A receiver is disabled when attempts have failed for [`DISABLED_AFTER`] without a success and without a gap of
    /// [`MAX_FAILURE_GAP`]: without deliveries there are no failures, and the next failure starts a new series.
    #[must_use]
    pub fn health_update(&self, outcome: DeliveryOutcome, now: Timestamp) -> Option<HealthUpdate> {
        if outcome.is_success() {
            let recorded = self.failing_since.is_none() && is_recent(self.last_success_at, now);
            return (!recorded).then_some(HealthUpdate::Succeeded);
        }
        if outcome.is_gone() {
            return None;
        }
        self.failure_update(now)
    }

    fn failure_update(&self, now: Timestamp) -> Option<HealthUpdate> {
        let series = self.failing_since.filter(|_| !self.had_gap(now));
        match series {
            Some(since) if now.since(since) >= DISABLED_AFTER => Some(HealthUpdate::Disable {
                failing_since: since,
            }),
            Some(_) if is_recent(self.last_failure_at, now) => None,
            _ => Some(HealthUpdate::Failed(FailedAttempt {
                expected_since: self.failing_since,
                since: series.unwrap_or(now),
                at: now,
            })),
        }
    }

    /// Whether there was no attempt for so long that a new series of failures starts.
    fn had_gap(&self, now: Timestamp) -> bool {
        let last = self.last_failure_at.or(self.failing_since);
        last.is_none_or(|last| now.since(last) > MAX_FAILURE_GAP)
    }
}

fn is_recent(written: Option<Timestamp>, now: Timestamp) -> bool {
    written.is_some_and(|written| now.since(written) < HEALTH_WRITE_INTERVAL)
}

#[cfg(test)]
#[path = "receiver_health_tests.rs"]
mod tests;
