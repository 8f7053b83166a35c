//! What attempts say of their receiver, and when it is given up.

use std::time::Duration;

use super::delivery::Outcome;
use super::record::Subscription;
use super::schedule::{DISABLED_AFTER, LONGEST_SILENCE};
use crate::timestamp::Timestamp;

/// How long what was noted of a receiver stands for the same of what follows, so that a busy one is not written to each time.
pub const NOTED_FOR: Duration = Duration::from_secs(60);

/// What is to be noted of a receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReceiverNote {
    /// An attempt succeeded.
    Working,
    /// An attempt failed.
    Failing(FailedAttempt),
    /// It is given up.
    GivenUp {
        /// Since when it must still be failing then.
        failing_since: Timestamp,
    },
}

/// A failure in a row of failures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FailedAttempt {
    /// Since when the receiver was known to fail when the attempt began.
    pub seen_since: Option<Timestamp>,
    /// When the row began.
    pub since: Timestamp,
    /// When this attempt ended.
    pub at: Timestamp,
}

impl FailedAttempt {
    /// A success that was noted at this moment or later says more than the failure: it came after it, or stands for one that
    /// did, up to [`NOTED_FOR`] after it was noted.
    #[must_use]
    pub fn outweighed_from(&self) -> Timestamp {
        let before = i64::try_from(NOTED_FOR.as_millis()).unwrap_or(i64::MAX);
        Timestamp(self.at.milliseconds().saturating_sub(before))
    }
}

impl Subscription {
    /// What an attempt that ended at `now` says of the receiver, which is what `self` was when the attempt began; `None` when
    /// that is known, or says that it is gone, which is no matter of judgement.
    ///
    /// A receiver is given up when attempts failed over [`DISABLED_AFTER`], without a success and without a
    /// [`LONGEST_SILENCE`]: where nothing was sent, nothing failed, and the next failure is the first of another row.
    #[must_use]
    pub fn judge_receiver(&self, outcome: Outcome, now: Timestamp) -> Option<ReceiverNote> {
        if outcome.is_success() {
            let known = self.failing_since.is_none() && is_fresh(self.worked_at, now);
            return (!known).then_some(ReceiverNote::Working);
        }
        if outcome.is_gone() {
            return None;
        }
        self.judge_failure(now)
    }

    fn judge_failure(&self, now: Timestamp) -> Option<ReceiverNote> {
        let row = self.failing_since.filter(|_| !self.was_silent(now));
        match row {
            Some(since) if now.since(since) >= DISABLED_AFTER => Some(ReceiverNote::GivenUp {
                failing_since: since,
            }),
            Some(_) if is_fresh(self.failed_at, now) => None,
            _ => Some(ReceiverNote::Failing(FailedAttempt {
                seen_since: self.failing_since,
                since: row.unwrap_or(now),
                at: now,
            })),
        }
    }

    /// Whether nothing was sent for so long that the failures before say nothing of now.
    fn was_silent(&self, now: Timestamp) -> bool {
        let last = self.failed_at.or(self.failing_since);
        last.is_none_or(|last| now.since(last) > LONGEST_SILENCE)
    }
}

fn is_fresh(noted: Option<Timestamp>, now: Timestamp) -> bool {
    noted.is_some_and(|noted| now.since(noted) < NOTED_FOR)
}

#[cfg(test)]
#[path = "receiver_tests.rs"]
mod tests;
