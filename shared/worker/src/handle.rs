//! Handling of tickets: claims the job, runs an attempt, publishes its events. SQS delivers at least once: the claim drops
//! duplicates.

use std::pin::pin;
use std::time::Duration;

use domain::engine_function::coordinator_timeout;
use domain::event::Event;
use domain::id::JobId;
use domain::job::Job;
use domain::ports::PortError;
use domain::ticket::Ticket;
use domain::transition::{Claim, Transition};
use domain::{outbox, trace};
use tokio::time::Instant;
use tracing::Instrument as _;

use crate::attempt::Attempt;
use crate::lease::Heartbeat;
use crate::metrics::{self, Stages};
use crate::worker::{Ports, Worker};

/// Time at the end of an invocation of this function for storing the result and writing the outcome.
const FINISH_TIME: Duration = Duration::from_secs(15);

/// How long the events of a claim are held back. Most jobs finish sooner, so that one EventBridge request publishes all events.
const PUBLISH_DELAY: Duration = Duration::from_millis(500);

impl<P: Ports> Worker<P> {
    /// Claims and processes the ticket's job. When it returns `Ok`, the ticket can be deleted from its queue.
    ///
    /// # Errors
    /// [`PortError`] before the job was claimed: the ticket must stay in its queue. Later failures are written to the job,
    /// which schedules its retries. If that write fails, too, the lease expires and `sweep` releases the job.
    pub async fn handle(&self, ticket: &Ticket) -> Result<(), PortError> {
        let span = trace::job_span(&ticket.job_id, ticket.traceparent.as_deref());
        self.claim(&ticket.job_id).instrument(span).await
    }

    async fn claim(&self, id: &JobId) -> Result<(), PortError> {
        let started = Instant::now();
        let Some(job) = self.ports.job(id).await? else {
            tracing::warn!("ticket ignored: unknown job");
            return Ok(());
        };
        trace::record_job(&job);
        match job.claim((self.clock)()) {
            Claim::Work(claimed) => self.work(&job, &claimed, started).await,
            Claim::DeadLetter(transition) => self.dead_letter(&transition).await,
            Claim::Nothing => {
                tracing::info!(status = %job.status, "ticket ignored: the job is not claimable");
                Ok(())
            }
        }
    }

    async fn work(
        &self,
        before: &Job,
        claimed: &Transition,
        started: Instant,
    ) -> Result<(), PortError> {
        if !self.ports.apply(claimed).await? {
            tracing::info!("another worker claimed the job first");
            return Ok(());
        }
        let job = &claimed.job;
        trace::record_job(job);
        let mut stages = Stages::after_claim(started);
        let mut unpublished = claim_events(before, claimed);
        let deadline = started + coordinator_timeout(job.processor).saturating_sub(FINISH_TIME);
        let written = self
            .attempt_and_publish((job, deadline), &mut stages, &mut unpublished)
            .await;
        match written {
            Some(transition) => {
                outbox::dispatch_with(&*self.ports, unpublished, &transition).await;
                let queue_wait = metrics::queue_wait(before, job.updated_at);
                metrics::report(&transition, queue_wait, &stages);
            }
            None => drop(outbox::publish(&*self.ports, &unpublished).await),
        }
        Ok(())
    }

    /// Runs [`Self::attempt`]. If it takes longer than [`PUBLISH_DELAY`], publishes the events of the claim and removes them
    /// from `unpublished`.
    async fn attempt_and_publish(
        &self,
        (job, deadline): (&Job, Instant),
        stages: &mut Stages,
        unpublished: &mut Vec<Event>,
    ) -> Option<Transition> {
        let mut attempt = pin!(self.attempt(job, deadline, stages));
        tokio::select! {
            written = &mut attempt => written,
            () = tokio::time::sleep(PUBLISH_DELAY) => {
                let events = std::mem::take(unpublished);
                tokio::join!(attempt, outbox::publish(&*self.ports, &events)).0
            }
        }
    }

    /// Runs one attempt and writes its outcome while heartbeats renew the lease; `None` if the lease was lost. Engine functions
    /// are invoked until `deadline`.
    pub(crate) async fn attempt(
        &self,
        job: &Job,
        deadline: Instant,
        stages: &mut Stages,
    ) -> Option<Transition> {
        let heartbeat = Heartbeat::at(job.progress);
        let mut renewal = pin!(self.renew_lease(job, &heartbeat));
        let attempt = Attempt {
            worker: self,
            job,
            heartbeat: &heartbeat,
            deadline,
        };
        let result = tokio::select! {
            result = attempt.run(stages) => result,
            // An engine function may run on. Its output lies under the number of this attempt, and is ignored.
            () = &mut renewal => return None,
        };
        let job = Job {
            step_runs: result.step_runs,
            ..job.clone()
        };
        let started = Instant::now();
        let mut finished = pin!(self.finish(&job, result.outcome));
        let written = tokio::select! {
            written = &mut finished => written,
            // Writing the outcome also ends the lease, so the write may have succeeded.
            () = &mut renewal => finished.await,
        };
        stages.finish = started.elapsed();
        written
    }

    async fn dead_letter(&self, transition: &Transition) -> Result<(), PortError> {
        if self.ports.apply(transition).await? {
            tracing::error!("job dead-lettered: no attempts left");
            outbox::dispatch(&*self.ports, transition).await;
            metrics::count(transition);
        }
        Ok(())
    }
}

/// Returns the events of a claim: `job.created` unless published before, and `job.processing`.
fn claim_events(before: &Job, claimed: &Transition) -> Vec<Event> {
    let created = outbox::creation_event(before);
    created.into_iter().chain(claimed.event.clone()).collect()
}
