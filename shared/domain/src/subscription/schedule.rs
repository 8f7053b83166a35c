//! When deliveries are tried again, and when a receiver is given up.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::timestamp::days;

/// How often a delivery is tried.
pub const ATTEMPTS: u32 = 8;

/// How long one attempt may take in all.
pub const TIMEOUT: Duration = Duration::from_secs(15);

/// How long a worker holds a delivery; one that is gone by then has crashed.
pub const LEASE: Duration = Duration::from_secs(60);

/// How long a ticket may be on its way before `sweep` sends it again.
pub const RESEND_AFTER: Duration = Duration::from_secs(60);

/// The longest that a queue holds a message back. What waits longer lies in the table alone.
pub const LONGEST_QUEUE_DELAY: Duration = Duration::from_secs(15 * 60);

/// How long a receiver may fail without a single success before its subscription is disabled.
pub const DISABLED_AFTER: Duration = Duration::from_secs(5 * 24 * 3_600);

/// The longest between two failures of a row: the longest pause between two attempts, and an hour for the ticket.
pub const LONGEST_SILENCE: Duration = Duration::from_secs(25 * 3_600);

/// How long a delivery stays on record where jobs do so for `job_days`: a week longer, so that what was told about a job can
/// still be told again on its last day.
#[must_use]
pub fn kept_for(job_days: u32) -> Duration {
    days(job_days.saturating_add(7))
}

/// The longest that a receiver's `Retry-After` is followed.
const LONGEST_RETRY_AFTER: Duration = Duration::from_secs(24 * 3_600);

/// The pauses between attempts, in seconds: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h.
const PAUSES: [u64; ATTEMPTS as usize - 1] = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000];

/// Why an attempt came to no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryFault {
    /// The guard of outgoing requests refuses the URL or what its name leads to.
    UrlBlocked,
    /// No answer in time.
    TimedOut,
    /// No connection, none that is secure, or one that broke before a status came.
    ConnectionFailed,
}

/// How long to wait after the attempt of this number (1 is the first), which failed: the schedule's pause, 20 % shorter or
/// longer as `random` (0 to 1) says, and no less than the receiver asked for. `None` after the last.
#[must_use]
pub fn pause_after(attempt: u32, retry_after: Option<Duration>, random: f64) -> Option<Duration> {
    let index = usize::try_from(attempt).ok()?.checked_sub(1)?;
    let seconds = *PAUSES.get(index)?;
    let share = 0.8 + 0.4 * random.clamp(0.0, 1.0);
    let pause = Duration::from_secs(seconds).mul_f64(share);
    let asked = retry_after.unwrap_or_default().min(LONGEST_RETRY_AFTER);
    Some(pause.max(asked))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(attempt: u32, retry_after: Option<u64>, random: f64) -> Option<f64> {
        let retry_after = retry_after.map(Duration::from_secs);
        pause_after(attempt, retry_after, random).map(|pause| pause.as_secs_f64())
    }

    #[test]
    fn the_pauses_are_those_of_the_schedule_and_end_after_the_eighth_attempt() {
        let middle: Vec<_> = (1..=8).map(|attempt| seconds(attempt, None, 0.5)).collect();
        let expected = [5.0, 300.0, 1_800.0, 7_200.0, 18_000.0, 36_000.0, 36_000.0].map(Some);
        assert_eq!(middle, [expected.as_slice(), &[None]].concat());
        assert_eq!(seconds(0, None, 0.5), None);
    }

    #[test]
    fn jitter_is_a_fifth_to_either_side() {
        assert_eq!(seconds(2, None, 0.0), Some(240.0));
        assert_eq!(seconds(2, None, 1.0), Some(360.0));
        assert_eq!(seconds(2, None, 7.0), Some(360.0));
    }

    #[test]
    fn a_receiver_may_ask_for_more_time_and_not_for_less_or_for_ever() {
        assert_eq!(seconds(1, Some(120), 0.5), Some(120.0));
        assert_eq!(seconds(2, Some(1), 0.5), Some(300.0));
        assert_eq!(seconds(1, Some(1_000_000), 0.5), Some(86_400.0));
        assert_eq!(seconds(8, Some(5), 0.5), None);
    }
}
