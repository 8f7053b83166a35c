//! Waiting for a job: often at first, when it may be a small one, and then ever more seldom.

use std::time::Duration;

use domain::job::Job;
use domain::ports::Jobs;
use runtime::api::Call;
use tokio::time::{Instant, sleep_until, timeout_at};

/// How long after the submission the job is looked at first.
const FIRST_PAUSE: Duration = Duration::from_millis(50);

/// The longest pause between two looks.
const LONGEST_PAUSE: Duration = Duration::from_millis(700);

/// When a request that came in with `call` has waited for so long.
pub(crate) fn deadline(call: &Call, after: Duration) -> Instant {
    let passed = runtime::clock::now().since(call.now);
    Instant::now() + after.saturating_sub(passed)
}

/// The job when it has ended, or as it was last seen before `until`. A look that fails is made up for by the next one:
/// the job is accepted, and goes on without us.
pub(crate) async fn until_ended<P: Jobs>(ports: &P, mut job: Job, until: Instant) -> Job {
    let mut pause = FIRST_PAUSE;
    while !job.status.is_terminal() {
        let next = Instant::now() + pause;
        if next >= until {
            break;
        }
        sleep_until(next).await;
        match timeout_at(until, ports.job(&job.id)).await {
            Ok(Ok(Some(seen))) => job = seen,
            Ok(Ok(None)) => break,
            Ok(Err(error)) => tracing::warn!(%error, "a look at the job failed"),
            Err(_) => break,
        }
        pause = LONGEST_PAUSE.min(pause * 4 / 3);
    }
    job
}
