//! Which queue a delivery's ticket goes to: receivers that answer slowly have one of their own, so that they delay no others.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::record::Subscription;
use crate::timestamp::Timestamp;

/// From how long an attempt on its receiver is slow.
pub const SLOW_AFTER: Duration = Duration::from_secs(2);

/// How long a receiver counts as slow after such an attempt.
pub const SLOW_FOR: Duration = Duration::from_secs(15 * 60);

/// A mark that lasts at least so much longer is not renewed, so that a busy receiver is not written to each time.
pub const MARKED_FOR: Duration = Duration::from_secs(10 * 60);

/// One of the two queues of deliveries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lane {
    /// Receivers that answer at once, as far as is known.
    #[default]
    Ready,
    /// Receivers that answer slowly.
    Slow,
}

/// That a receiver answers slowly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlowMark {
    /// Until when it counts as slow.
    pub until: Timestamp,
    /// A mark until then or later says enough, and stays.
    pub enough: Timestamp,
}

impl Lane {
    /// Every lane.
    pub const ALL: [Self; 2] = [Self::Ready, Self::Slow];

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "what serde asks for")]
    pub(super) fn is_ready(&self) -> bool {
        *self == Self::Ready
    }
}

impl Subscription {
    /// The lane of what is sent to its receiver at a moment.
    #[must_use]
    pub fn lane(&self, at: Timestamp) -> Lane {
        match self.slow_until {
            Some(until) if until > at => Lane::Slow,
            _ => Lane::Ready,
        }
    }

    /// The mark of a receiver that was found slow at `now`; `None` when that is known for long enough.
    #[must_use]
    pub fn mark_slow(&self, now: Timestamp) -> Option<SlowMark> {
        let enough = now.plus(MARKED_FOR);
        let known = self.slow_until.is_some_and(|until| until >= enough);
        (!known).then(|| SlowMark {
            until: now.plus(SLOW_FOR),
            enough,
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
    fn a_mark_is_renewed_when_less_than_ten_minutes_of_it_are_left() {
        let mark = SlowMark {
            until: NOW.plus(MINUTE * 15),
            enough: NOW.plus(MINUTE * 10),
        };
        assert_eq!(subscription().mark_slow(NOW), Some(mark));
        assert_eq!(slow_until(NOW).mark_slow(NOW), Some(mark));
        assert_eq!(slow_until(NOW.plus(MINUTE * 10)).mark_slow(NOW), None);
        let short = Timestamp(mark.enough.milliseconds() - 1);
        assert_eq!(slow_until(short).mark_slow(NOW), Some(mark));
    }
}
