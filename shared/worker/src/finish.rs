//! Writes how an attempt ended.

use std::time::Duration;

use domain::job::Job;
use domain::ports::PortError;
use domain::transition::{Ending, Transition};

use crate::engines::Engine;
use crate::library::Completed;
use crate::worker::{Ports, Worker};

/// How often an ending is written before it counts as unwritable.
const TRIES: u32 = 3;

/// The pause after the first refusal; the second is twice as long.
const PAUSE: Duration = Duration::from_millis(200);

impl<P: Ports, E: Engine> Worker<P, E> {
    /// Writes the ending of the attempt that `job` is in; `None` when nothing was written. An ending that cannot be
    /// written becomes another attempt; if not even that can be written, the lease runs out and `sweep` does it.
    pub(crate) async fn finish(&self, job: &Job, ending: Ending) -> Option<Transition> {
        if let Ending::Interrupted(reason) = &ending {
            tracing::warn!(reason, "interrupted");
        }
        match self.end(job, ending).await {
            Ok(Some(transition)) => Some(transition),
            Ok(None) => {
                tracing::warn!("stale: the job has moved on without this attempt");
                None
            }
            Err(error) => {
                tracing::error!(%error, "the ending could not be written");
                self.try_again_later(job).await
            }
        }
    }

    /// Writes an ending; `None` when the attempt no longer holds the job.
    async fn end(&self, job: &Job, ending: Ending) -> Result<Option<Transition>, PortError> {
        if let (
            Ending::Completed {
                output, findings, ..
            },
            Some(work),
        ) = (&ending, &job.document)
        {
            let findings = findings.as_ref();
            let completed = Completed { output, findings };
            return self.finish_in_library(job, work, &ending, &completed).await;
        }
        let transition = job.finish(ending, (self.clock)());
        let written = self.write(&transition).await?;
        Ok(written.then_some(transition))
    }

    async fn try_again_later(&self, job: &Job) -> Option<Transition> {
        let ending = Ending::Interrupted("the ending could not be written".to_owned());
        let transition = job.finish(ending, (self.clock)());
        match self.ports.apply(&transition).await {
            Ok(written) => written.then_some(transition),
            Err(error) => {
                tracing::error!(%error, "left to sweep");
                None
            }
        }
    }

    async fn write(&self, transition: &Transition) -> Result<bool, PortError> {
        let mut tried = 1;
        loop {
            match self.ports.apply(transition).await {
                Err(error) if tried < TRIES => {
                    tracing::warn!(%error, tried, "ending not written yet");
                    tokio::time::sleep(PAUSE * tried).await;
                    tried += 1;
                }
                result => return result,
            }
        }
    }
}
