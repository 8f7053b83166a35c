//! Schedule of deliveries: retries with back-off and jitter, and disabling of failing receivers.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::timestamp::days;

/// Maximum number of attempts of a delivery.
pub const ATTEMPTS: u32 = 8;

/// Total time limit of one attempt.
pub const TIMEOUT: Duration = Duration::from_secs(15);

/// Lease of an attempt: afterwards the worker is considered crashed, and another one may claim the delivery.
pub const LEASE: Duration = Duration::from_secs(60);

/// Grace period before `sweep` resends a ticket that no worker has claimed.
pub const RESEND_AFTER: Duration = Duration::from_secs(60);

/// Maximum message delay of SQS. Longer delays are kept in the table only.
pub const MAX_QUEUE_DELAY: Duration = Duration::from_secs(15 * 60);

/// Time after which a receiver that failed without a single success is disabled.
pub const DISABLED_AFTER: Duration = Duration::from_secs(5 * 24 * 3_600);

/// Maximum time between two failures of one series: the longest retry delay, plus an hour for queueing.
pub const MAX_FAILURE_GAP: Duration = Duration::from_secs(25 * 3_600);

/// Returns the retention of deliveries if jobs are retained for `job_days`: a week longer, so that the events of a job can be
/// resent on its last day.
#[must_use]
pub fn delivery_retention(job_days: u32) -> Duration {
    days(job_days.saturating_add(7))
}

/// Maximum `Retry-After` that is honored.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(24 * 3_600);

/// Delays between attempts in seconds: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h.
const DELAYS: [u64; ATTEMPTS as usize - 1] = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000];

/// Why an attempt received no response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryFailure {
    /// The SSRF guard rejected the URL or the address of its host.
    UrlBlocked,
    /// No response within the time limit.
    TimedOut,
    /// No connection, a failed TLS handshake, or a connection that was closed before the response.
    ConnectionFailed,
}

/// Returns the delay after the failed attempt number `attempt`, counted from 1: the back-off with jitter of ±20 % chosen by
/// `random` (0 to 1), and at least `retry_after`. `None` after the last attempt.
#[must_use]
pub fn retry_delay(attempt: u32, retry_after: Option<Duration>, random: f64) -> Option<Duration> {
    let index = usize::try_from(attempt).ok()?.checked_sub(1)?;
    let seconds = *DELAYS.get(index)?;
    let share = 0.8 + 0.4 * random.clamp(0.0, 1.0);
    let pause = Duration::from_secs(seconds).mul_f64(share);
    let requested = retry_after.unwrap_or_default().min(MAX_RETRY_AFTER);
    Some(pause.max(requested))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(attempt: u32, retry_after: Option<u64>, random: f64) -> Option<f64> {
        let retry_after = retry_after.map(Duration::from_secs);
        retry_delay(attempt, retry_after, random).map(|pause| pause.as_secs_f64())
    }

    #[test]
    fn delays_follow_the_schedule_and_end_after_the_eighth_attempt() {
        let middle: Vec<_> = (1..=8).map(|attempt| seconds(attempt, None, 0.5)).collect();
        let expected = [5.0, 300.0, 1_800.0, 7_200.0, 18_000.0, 36_000.0, 36_000.0].map(Some);
        assert_eq!(middle, [expected.as_slice(), &[None]].concat());
        assert_eq!(seconds(0, None, 0.5), None);
    }

    #[test]
    fn jitter_is_20_percent() {
        assert_eq!(seconds(2, None, 0.0), Some(240.0));
        assert_eq!(seconds(2, None, 1.0), Some(360.0));
        assert_eq!(seconds(2, None, 7.0), Some(360.0));
    }

    #[test]
    fn retry_after_extends_the_delay_up_to_a_maximum() {
        assert_eq!(seconds(1, Some(120), 0.5), Some(120.0));
        assert_eq!(seconds(2, Some(1), 0.5), Some(300.0));
        assert_eq!(seconds(1, Some(1_000_000), 0.5), Some(86_400.0));
        assert_eq!(seconds(8, Some(5), 0.5), None);
    }
}
