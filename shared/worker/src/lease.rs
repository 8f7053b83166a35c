//! The hold that a worker has on a job while it works, kept by heartbeats.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::time::Duration;

use domain::job::Job;
use domain::retry;

use crate::engines::Engine;
use crate::worker::{Ports, Worker};

/// What an attempt's engine tells, and is told by its heartbeat.
#[derive(Debug, Default)]
pub(crate) struct Pulse {
    stop: AtomicBool,
    progress: AtomicU8,
    /// Processor time in microseconds.
    spent: AtomicU64,
}

impl Pulse {
    /// The flag that ends the engine's children.
    pub(crate) fn stop_flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// Whether the lease was lost.
    pub(crate) fn is_lost(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Notes the processor time of a child that has ended.
    pub(crate) fn spend(&self, time: Duration) {
        let microseconds = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.spent.fetch_add(microseconds, Ordering::Relaxed);
    }

    /// The processor time of all children so far.
    pub(crate) fn spent(&self) -> Duration {
        Duration::from_micros(self.spent.load(Ordering::Relaxed))
    }

    /// Notes how far the engine is; progress never goes back.
    pub(crate) fn advance(&self, progress: u8) {
        self.progress
            .fetch_max(progress.min(100), Ordering::Relaxed);
    }

    fn progress(&self) -> u8 {
        self.progress.load(Ordering::Relaxed)
    }
}

impl<P: Ports, E: Engine> Worker<P, E> {
    /// Extends the lease again and again; returns when another has the job, with the stop flag raised. A heartbeat that
    /// gets no answer is not a lost lease: the next one may arrive, and what is written is fenced anyway.
    pub(crate) async fn keep_lease(&self, job: &Job, pulse: &Pulse) {
        loop {
            tokio::time::sleep(self.heartbeat).await;
            let until = (self.clock)().plus(retry::LEASE);
            let held = self
                .ports
                .extend_lease(&job.id, job.attempt, until, pulse.progress())
                .await;
            match held {
                Ok(true) => {}
                Ok(false) => {
                    tracing::warn!("the lease is lost: stopping");
                    return pulse.stop.store(true, Ordering::Relaxed);
                }
                Err(error) => tracing::warn!(%error, "heartbeat not written"),
            }
        }
    }
}
