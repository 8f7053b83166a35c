//! Burst limits (rate limits of authenticated callers): requests per key and second.

use std::time::Duration;

use crate::timestamp::Timestamp;

/// Usage of a key in the current second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Burst {
    /// Requests that the plan allows in one second.
    pub limit: u32,
    /// Requests that are left in this second.
    pub remaining: u32,
}

impl Burst {
    /// Creates the state after `used` requests in a second that allows `limit`.
    #[must_use]
    pub fn after(limit: u32, used: u32) -> Self {
        Self {
            limit,
            remaining: limit.saturating_sub(used),
        }
    }
}

/// Returns the time until the end of the second of `now`.
#[must_use]
pub fn rest_of_second(now: Timestamp) -> Duration {
    Duration::from_millis(1_000 - u64::try_from(now.milliseconds().rem_euclid(1_000)).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_of_a_second_ends_at_the_next_full_second() {
        assert_eq!(rest_of_second(Timestamp(5_250)), Duration::from_millis(750));
        assert_eq!(
            rest_of_second(Timestamp(5_000)),
            Duration::from_millis(1_000)
        );
    }

    #[test]
    fn remaining_requests_never_go_below_zero() {
        assert_eq!(Burst::after(5, 7).remaining, 0);
    }
}
