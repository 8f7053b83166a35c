//! Writes the outcome of an attempt.

use std::time::Duration;

use domain::job::Job;
use domain::ports::PortError;
use domain::transition::{AttemptOutcome, Transition};

use crate::library::Completed;
use crate::worker::{Ports, Worker};

/// Attempts to write an outcome.
const MAX_TRIES: u32 = 3;

/// Delay after the first failed write; it grows linearly.
const PAUSE: Duration = Duration::from_millis(200);

impl<P: Ports> Worker<P> {
    /// Writes the outcome of the job's current attempt; `None` if nothing was written. If the write fails, tries to schedule a
    /// retry of the job instead; if that fails, too, the lease expires and `sweep` releases the job.
    pub(crate) async fn finish(&self, job: &Job, outcome: AttemptOutcome) -> Option<Transition> {
        match &outcome {
            AttemptOutcome::Interrupted(reason) => tracing::warn!(reason, "attempt interrupted"),
            AttemptOutcome::Postponed { reason, .. } => {
                tracing::warn!(reason, "attempt postponed; it does not count");
            }
            AttemptOutcome::Continued { progress } => {
                tracing::info!(progress, "attempt ends; another one continues its work");
            }
            AttemptOutcome::Completed { .. } | AttemptOutcome::Failed(_) => {}
        }
        match self.write_outcome(job, outcome).await {
            Ok(Some(transition)) => Some(transition),
            Ok(None) => {
                tracing::warn!("outcome discarded: the job was claimed by another attempt");
                None
            }
            Err(error) => {
                tracing::error!(%error, "outcome could not be written");
                self.write_retry(job).await
            }
        }
    }

    /// Writes an outcome; `None` if the attempt no longer holds the lease.
    async fn write_outcome(
        &self,
        job: &Job,
        outcome: AttemptOutcome,
    ) -> Result<Option<Transition>, PortError> {
        if let (
            AttemptOutcome::Completed {
                output,
                findings,
                etag,
                ..
            },
            Some(work),
        ) = (&outcome, &job.document)
        {
            let findings = findings.as_ref();
            let completed = Completed {
                output,
                findings,
                etag,
            };
            return self
                .finish_in_library(job, work, &outcome, &completed)
                .await;
        }
        let transition = job.finish(outcome, (self.clock)());
        let written = self.write(&transition).await?;
        Ok(written.then_some(transition))
    }

    async fn write_retry(&self, job: &Job) -> Option<Transition> {
        let outcome = AttemptOutcome::Interrupted("the outcome could not be written".to_owned());
        let transition = job.finish(outcome, (self.clock)());
        match self.ports.apply(&transition).await {
            Ok(written) => written.then_some(transition),
            Err(error) => {
                tracing::error!(%error, "retry could not be scheduled; sweep releases the job when its lease expires");
                None
            }
        }
    }

    async fn write(&self, transition: &Transition) -> Result<bool, PortError> {
        let mut tried = 1;
        loop {
            match self.ports.apply(transition).await {
                Err(error) if tried < MAX_TRIES => {
                    tracing::warn!(%error, tried, "writing the outcome failed; retrying");
                    tokio::time::sleep(PAUSE * tried).await;
                    tried += 1;
                }
                result => return result,
            }
        }
    }
}
