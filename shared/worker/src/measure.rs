//! How long the stages of a job took, and the metrics of its ending.

use std::time::{Duration, Instant};

use domain::job::{Job, JobStatus};
use domain::timestamp::Timestamp;
use domain::transition::Transition;

/// What each stage of an attempt took; zero for one that was not reached.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stages {
    /// Reading the job and claiming it.
    pub(crate) claim: Duration,
    /// Source to scratch.
    pub(crate) fetch: Duration,
    /// The engine, with its child processes and the verification.
    pub(crate) engine: Duration,
    /// Processor time of the engine's child processes.
    pub(crate) engine_cpu: Duration,
    /// Artifact to the object store.
    pub(crate) store: Duration,
    /// Writing the ending.
    pub(crate) finish: Duration,
}

impl Stages {
    /// The claim has just been written, after it `began`.
    pub(crate) fn after_claim(began: Instant) -> Self {
        Self {
            claim: began.elapsed(),
            ..Self::default()
        }
    }

    fn total(&self) -> Duration {
        self.claim + self.fetch + self.engine + self.store + self.finish
    }
}

/// How long a job was due before it was claimed at `claimed_at`.
pub(crate) fn waited(before: &Job, claimed_at: Timestamp) -> Duration {
    claimed_at.since(before.not_before.unwrap_or(before.updated_at))
}

/// Reports an attempt that has ended.
pub(crate) fn report(ending: &Transition, waited: Duration, stages: &Stages) {
    tracing::info!(
        status = %ending.job.status,
        queue_wait_ms = milliseconds(waited),
        claim_ms = milliseconds(stages.claim),
        fetch_ms = milliseconds(stages.fetch),
        engine_ms = milliseconds(stages.engine),
        engine_cpu_ms = milliseconds(stages.engine_cpu),
        store_ms = milliseconds(stages.store),
        finish_ms = milliseconds(stages.finish),
        "job finished"
    );
    count(ending);
    tracing::info!(
        target: "metrics",
        QueueWaitMs = milliseconds(waited),
        WorkMs = milliseconds(stages.total()),
        operation = ending.job.operation(),
    );
}

/// Counts a job by the status that it has moved to.
pub(crate) fn count(ending: &Transition) {
    let operation = ending.job.operation();
    match ending.job.status {
        // What a document is like, and whether it can be read, is no matter of the service's health.
        JobStatus::Completed | JobStatus::Failed if ending.job.is_internal() => {}
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
