//! Timing of the attempts of a job: leases, heartbeats, retry back-off and resending of tickets.

use std::time::Duration;

/// Maximum number of attempts before a job is dead-lettered.
pub const ATTEMPTS: u32 = 5;

/// Number of the last attempt that does not count if it is postponed. Limits the job's timeline.
pub const MAX_UNCOUNTED_ATTEMPT: u32 = 200;

/// Mean delay before the next attempt after a postponed one.
pub const POSTPONED: Duration = Duration::from_secs(15);

/// Lease of a job: it expires if the worker sends no heartbeat for this long.
pub const LEASE: Duration = Duration::from_secs(30);

/// Interval of heartbeats. Two may be missed before the lease expires.
pub const HEARTBEAT: Duration = Duration::from_secs(10);

/// Grace period before `sweep` resends a ticket that no worker has claimed.
pub const RESEND_AFTER: Duration = Duration::from_secs(60);

/// Maximum interval between two resends of a ticket.
pub const MAX_RESEND_DELAY: Duration = Duration::from_secs(3_600);

/// Grace period before `sweep` publishes an event. The writer normally publishes it at once.
pub const REPUBLISH_AFTER: Duration = Duration::from_secs(20);

/// Grace period before `sweep` publishes `job.created`. The worker normally publishes it when it claims the job; an idle one
/// does so within this time.
pub const PUBLISH_CREATED_AFTER: Duration = Duration::from_secs(5);

/// Maximum time that a job may wait for its first attempt before it is dead-lettered; equals the message retention of the
/// queues.
pub const START_WITHIN: Duration = Duration::from_secs(14 * 24 * 3_600);

/// Tolerated clock skew between machines when a ticket arrives early.
pub const CLOCK_TOLERANCE: Duration = Duration::from_millis(1_500);

/// Returns the exponential back-off (backoff) after failed attempt number `attempt`: 5 s, 15 s, 45 s, 135 s.
#[must_use]
pub fn backoff(attempt: u32) -> Duration {
    let power = attempt.saturating_sub(1).min(3);
    Duration::from_secs(5 * 3_u64.pow(power))
}

/// Returns the interval before the next resend of a ticket that was resent `sent` times: exponential back-off.
#[must_use]
pub fn resend_after(sent: u32) -> Duration {
    RESEND_AFTER
        .saturating_mul(1_u32.checked_shl(sent.min(10)).unwrap_or(u32::MAX))
        .min(MAX_RESEND_DELAY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn back_off_triples_up_to_a_maximum() {
        let seconds: Vec<_> = (1..=6).map(|attempt| backoff(attempt).as_secs()).collect();
        assert_eq!(seconds, [5, 15, 45, 135, 135, 135]);
    }

    #[test]
    fn resending_backs_off_to_once_an_hour() {
        let seconds: Vec<_> = (0..9).map(|sent| resend_after(sent).as_secs()).collect();
        assert_eq!(seconds, [60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]);
    }
}
