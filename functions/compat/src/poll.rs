//! Polling of a job with increasing delays.

use std::time::Duration;

use domain::job::Job;
use domain::ports::Jobs;
use runtime::api::Request;
use tokio::time::{Instant, sleep_until, timeout_at};

/// Delay before the first poll.
const INITIAL_DELAY: Duration = Duration::from_millis(50);

/// Maximum delay between polls.
const MAX_DELAY: Duration = Duration::from_millis(700);

/// Returns the instant `after` the arrival of `request`.
pub(crate) fn deadline(request: &Request, after: Duration) -> Instant {
    let passed = runtime::clock::now().since(request.now);
    Instant::now() + after.saturating_sub(passed)
}

/// Polls until the job is terminal or `until` is reached, and returns its last state. Failed polls are retried: the job was
/// accepted and continues in any case.
pub(crate) async fn until_finished<P: Jobs>(ports: &P, mut job: Job, until: Instant) -> Job {
    let mut delay = INITIAL_DELAY;
    while !job.status.is_terminal() {
        let next = Instant::now() + delay;
        if next >= until {
            break;
        }
        sleep_until(next).await;
        match timeout_at(until, ports.job(&job.id)).await {
            Ok(Ok(Some(current))) => job = current,
            Ok(Ok(None)) => break,
            Ok(Err(error)) => tracing::warn!(%error, "job status poll failed"),
            Err(_) => break,
        }
        delay = MAX_DELAY.min(delay * 4 / 3);
    }
    job
}
