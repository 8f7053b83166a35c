//! The clockwork of attempts: leases, heartbeats, back-off and re-sending.

use std::time::Duration;

/// How often a job is tried before it is buried.
pub const ATTEMPTS: u32 = 5;

/// How long a worker holds a job without a sign of life.
pub const LEASE: Duration = Duration::from_secs(30);

/// How often a worker gives a sign of life: two may be lost.
pub const HEARTBEAT: Duration = Duration::from_secs(10);

/// How long a ticket may be on its way before `sweep` sends it again.
pub const RESEND_AFTER: Duration = Duration::from_secs(60);

/// The longest pause between two sendings of the same ticket.
pub const RESEND_AT_MOST_EVERY: Duration = Duration::from_secs(3_600);

/// How long an event may be on its way before `sweep` publishes it: long enough for the writer to do so itself.
pub const REPUBLISH_AFTER: Duration = Duration::from_secs(20);

/// The same of a job's creation, which the processor tells that takes the job: long enough for one that has nothing else to
/// do, so that of those that have, `sweep` tells it at its next run.
pub const TELL_CREATED_AFTER: Duration = Duration::from_secs(5);

/// How long a job may wait without ever being started; then it is buried. Equal to the queues' retention.
pub const START_WITHIN: Duration = Duration::from_secs(14 * 24 * 3_600);

/// How much two machines' clocks may differ before a ticket counts as early.
pub const CLOCK_TOLERANCE: Duration = Duration::from_millis(1_500);

/// How long to wait before the attempt after `attempt`: 5 s, 15 s, 45 s, 135 s.
#[must_use]
pub fn backoff(attempt: u32) -> Duration {
    let power = attempt.saturating_sub(1).min(3);
    Duration::from_secs(5 * 3_u64.pow(power))
}

/// How long to wait before a ticket that was sent `sent` times is sent again.
#[must_use]
pub fn resend_after(sent: u32) -> Duration {
    RESEND_AFTER
        .saturating_mul(1_u32.checked_shl(sent.min(10)).unwrap_or(u32::MAX))
        .min(RESEND_AT_MOST_EVERY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn back_off_triples_and_levels_off() {
        let seconds: Vec<_> = (1..=6).map(|attempt| backoff(attempt).as_secs()).collect();
        assert_eq!(seconds, [5, 15, 45, 135, 135, 135]);
    }

    #[test]
    fn re_sending_slows_down_to_once_an_hour() {
        let seconds: Vec<_> = (0..9).map(|sent| resend_after(sent).as_secs()).collect();
        assert_eq!(seconds, [60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]);
    }
}
