//! Takes tickets: claims the job, has it worked on, and publishes how it ended.

use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use domain::event::Event;
use domain::id::JobId;
use domain::job::Job;
use domain::ports::PortError;
use domain::ticket::Ticket;
use domain::transition::{Claim, Transition};
use domain::{outbox, trace};
use tracing::Instrument as _;

use crate::attempt::Attempt;
use crate::engines::Engine;
use crate::lease::Pulse;
use crate::measure::{self, Stages};
use crate::worker::{Ports, Worker};

/// How long what a claim has to tell waits for the ending: most jobs end sooner, and then one request tells all of it.
const TELL_TOGETHER: Duration = Duration::from_millis(500);

impl<P: Ports, E: Engine> Worker<P, E> {
    /// Does whatever the ticket's job needs now, and returns when the ticket is done with.
    ///
    /// # Errors
    /// [`PortError`] before the job was claimed: the ticket must stay in its queue. Later failures are written to the
    /// job, which owns its retries; one that cannot even be written ends with the lease, which `sweep` releases.
    pub async fn handle(&self, ticket: &Ticket) -> Result<(), PortError> {
        let span = trace::job_span(&ticket.job_id, ticket.traceparent.as_deref());
        self.take(&ticket.job_id).instrument(span).await
    }

    async fn take(&self, id: &JobId) -> Result<(), PortError> {
        let began = Instant::now();
        let Some(job) = self.ports.job(id).await? else {
            tracing::warn!("ticket of an unknown job");
            return Ok(());
        };
        trace::identify(&job);
        match job.claim((self.clock)()) {
            Claim::Work(claimed) => self.work(&job, &claimed, began).await,
            Claim::Bury(buried) => self.bury(&buried).await,
            Claim::Nothing => {
                tracing::info!(status = %job.status, "nothing to do for this ticket");
                Ok(())
            }
        }
    }

    async fn work(
        &self,
        before: &Job,
        claimed: &Transition,
        began: Instant,
    ) -> Result<(), PortError> {
        if !self.ports.apply(claimed).await? {
            tracing::info!("another worker was faster");
            return Ok(());
        }
        let job = &claimed.job;
        trace::identify(job);
        let mut stages = Stages::after_claim(began);
        let mut untold = begun(before, claimed);
        let written = self.attempt_and_tell(job, &mut stages, &mut untold).await;
        match written {
            Some(transition) => {
                outbox::deliver_after(&*self.ports, untold, &transition).await;
                let waited = measure::waited(before, job.updated_at);
                measure::report(&transition, waited, &stages);
            }
            None => drop(outbox::publish(&*self.ports, &untold).await),
        }
        Ok(())
    }

    /// One attempt, as [`Self::attempt`]. What the claim has to tell is told meanwhile and taken out of `untold`, unless
    /// the attempt ends before.
    async fn attempt_and_tell(
        &self,
        job: &Job,
        stages: &mut Stages,
        untold: &mut Vec<Event>,
    ) -> Option<Transition> {
        let mut attempt = pin!(self.attempt(job, stages));
        tokio::select! {
            written = &mut attempt => written,
            () = tokio::time::sleep(TELL_TOGETHER) => {
                let events = std::mem::take(untold);
                tokio::join!(attempt, outbox::publish(&*self.ports, &events)).0
            }
        }
    }

    /// One attempt and the writing of its ending, under a lease that is kept until then; `None` when the job is no
    /// longer this worker's.
    pub(crate) async fn attempt(&self, job: &Job, stages: &mut Stages) -> Option<Transition> {
        let pulse = Arc::new(Pulse::default());
        let mut ended = pin!(self.work_and_finish(job, &pulse, stages));
        tokio::select! {
            written = &mut ended => written,
            // The stop flag is up, but the child and its scratch must be gone before the next job begins; and an ending
            // that is being written ends the lease, too.
            () = self.keep_lease(job, &pulse) => ended.await,
        }
    }

    async fn work_and_finish(
        &self,
        job: &Job,
        pulse: &Arc<Pulse>,
        stages: &mut Stages,
    ) -> Option<Transition> {
        let attempted = Attempt::new(self, job, pulse).run(stages).await?;
        let job = Job {
            step_runs: attempted.step_runs,
            ..job.clone()
        };
        let began = Instant::now();
        let written = self.finish(&job, attempted.ending).await;
        stages.finish = began.elapsed();
        written
    }

    async fn bury(&self, buried: &Transition) -> Result<(), PortError> {
        if self.ports.apply(buried).await? {
            tracing::error!("no attempt is left: buried");
            outbox::deliver(&*self.ports, buried).await;
            measure::count(buried);
        }
        Ok(())
    }
}

/// What a claim has to tell: that the job is being worked on and, at its first attempt, that it was created.
fn begun(before: &Job, claimed: &Transition) -> Vec<Event> {
    let created = outbox::creation(before);
    created.into_iter().chain(claimed.event.clone()).collect()
}
