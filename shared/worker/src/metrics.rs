//! Durations of an attempt's stages, and metrics of its outcome.

use std::time::Duration;

use domain::job::{Job, JobStatus};
use domain::timestamp::Timestamp;
use domain::transition::Transition;
use tokio::time::Instant;

/// Durations of the stages of an attempt; zero if not reached.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stages {
    /// Reading the job and claiming it.
    pub(crate) claim: Duration,
    /// Fetching and storing remote sources.
    pub(crate) fetch: Duration,
    /// Invoking engine functions, including their downloads, uploads and verification.
    pub(crate) engine: Duration,
    /// CPU time of the engines' child processes, as engine functions report it.
    pub(crate) engine_cpu: Duration,
    /// Reading findings from the result.
    pub(crate) store: Duration,
    /// Writing the outcome.
    pub(crate) finish: Duration,
}

impl Stages {
    /// Creates the durations after a claim that started at `started`.
    pub(crate) fn after_claim(started: Instant) -> Self {
        Self {
            claim: started.elapsed(),
            ..Self::default()
        }
    }

    fn total(&self) -> Duration {
        self.claim + self.fetch + self.engine + self.store + self.finish
    }
}

/// Returns how long a due job waited for its claim at `claimed_at`.
pub(crate) fn queue_wait(before: &Job, claimed_at: Timestamp) -> Duration {
    claimed_at.since(before.not_before.unwrap_or(before.updated_at))
}

/// Logs the durations and emits the metrics of a finished attempt.
pub(crate) fn report(outcome: &Transition, queue_wait: Duration, stages: &Stages) {
    tracing::info!(
        status = %outcome.job.status,
        queue_wait_ms = milliseconds(queue_wait),
        claim_ms = milliseconds(stages.claim),
        fetch_ms = milliseconds(stages.fetch),
        engine_ms = milliseconds(stages.engine),
        engine_cpu_ms = milliseconds(stages.engine_cpu),
        store_ms = milliseconds(stages.store),
        finish_ms = milliseconds(stages.finish),
        "job finished"
    );
    count(outcome);
    tracing::info!(
        target: "metrics",
        QueueWaitMs = milliseconds(queue_wait),
        WorkMs = milliseconds(stages.total()),
        operation = outcome.job.operation(),
    );
}

/// Emits the count metric of the job's new status.
pub(crate) fn count(outcome: &Transition) {
    let operation = outcome.job.operation();
    match outcome.job.status {
        // Internal inspections are excluded: their outcome depends on documents and not on the service's health.
        JobStatus::Completed | JobStatus::Failed if outcome.job.is_internal() => {}
        JobStatus::Completed => {
            tracing::info!(target: "metrics", JobsCompleted = 1_u64, operation);
        }
        JobStatus::Failed => tracing::info!(target: "metrics", JobsFailed = 1_u64, operation),
        JobStatus::Retrying => tracing::info!(target: "metrics", JobsRetried = 1_u64, operation),
        JobStatus::DeadLetter => {
            tracing::info!(target: "metrics", JobsDeadLettered = 1_u64, operation);
        }
        JobStatus::Queued | JobStatus::Processing => {}
    }
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
