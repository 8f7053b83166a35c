//! The two delivery queues: slow receivers have their own, so that they do not delay other deliveries.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::record::Subscription;
use crate::timestamp::Timestamp;

/// Response time from which an attempt marks its receiver as slow.
pub const SLOW_AFTER: Duration = Duration::from_secs(2);

/// Duration of a slow mark.
pub const SLOW_FOR: Duration = Duration::from_secs(15 * 60);

/// A slow mark with at least this much time left is not renewed, to limit writes for busy receivers.
pub const SLOW_MARK_RENEWAL: Duration = Duration::from_secs(10 * 60);

/// One of the two delivery queues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lane {
    /// For receivers without a slow mark.
    #[default]
    Ready,
    /// For slow receivers.
    Slow,
}

/// A slow mark of a receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlowMark {
    /// End of the mark.
    pub until: Timestamp,
    /// A stored mark that lasts until this time or later is kept.
    pub renew_before: Timestamp,
}

impl Lane {
    /// Every lane.
    pub const ALL: [Self; 2] = [Self::Ready, Self::Slow];

    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "signature required by serde"
    )]
    pub(super) fn is_ready(&self) -> bool {
        *self == Self::Ready
    }
}

impl Subscription {
    /// Returns the queue for deliveries at `at`.
    #[must_use]
    pub fn lane(&self, at: Timestamp) -> Lane {
        match self.slow_until {
            Some(until) if until > at => Lane::Slow,
            _ => Lane::Ready,
        }
    }

    /// Returns the mark of a receiver that responded slowly at `now`; `None` if its current mark lasts long enough.
    #[must_use]
    pub fn mark_slow(&self, now: Timestamp) -> Option<SlowMark> {
        let renew_before = now.plus(SLOW_MARK_RENEWAL);
        let known = self.slow_until.is_some_and(|until| until >= renew_before);
        (!known).then(|| SlowMark {
            until: now.plus(SLOW_FOR),
            renew_before,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::delivery::tests::subscription;
    use super::*;

    const NOW: Timestamp = Timestamp(1_795_000_000_000);
    const MINUTE: Duration = Duration::from_secs(60);

    fn slow_until(until: Timestamp) -> Subscription {
        Subscription {
            slow_until: Some(until),
            ..subscription()
        }
    }

    #[test]
    fn a_receiver_is_slow_until_its_mark_expires() {
        assert_eq!(subscription().lane(NOW), Lane::Ready);
        let marked = slow_until(subscription().mark_slow(NOW).unwrap().until);
        let last = Timestamp(NOW.plus(MINUTE * 15).milliseconds() - 1);
        assert_eq!(
            (marked.lane(NOW), marked.lane(last)),
            (Lane::Slow, Lane::Slow)
        );
        assert_eq!(marked.lane(NOW.plus(MINUTE * 15)), Lane::Ready);
    }

    #[test]
    fn a_slow_mark_is_renewed_below_ten_minutes() {
        let mark = SlowMark {
            until: NOW.plus(MINUTE * 15),
            renew_before: NOW.plus(MINUTE * 10),
        };
        assert_eq!(subscription().mark_slow(NOW), Some(mark));
        assert_eq!(slow_until(NOW).mark_slow(NOW), Some(mark));
        assert_eq!(slow_until(NOW.plus(MINUTE * 10)).mark_slow(NOW), None);
        let short = Timestamp(mark.renew_before.milliseconds() - 1);
        assert_eq!(slow_until(short).mark_slow(NOW), Some(mark));
    }
}
