//! The lease on a job, renewed by heartbeats. If the worker dies, the lease expires and `sweep` releases the job for a retry.

use std::sync::atomic::{AtomicU8, Ordering};

use domain::job::Job;
use domain::retry;

use crate::worker::{Ports, Worker};

/// State shared by an attempt and its heartbeats.
#[derive(Debug, Default)]
pub(crate) struct Heartbeat {
    progress: AtomicU8,
}

impl Heartbeat {
    /// Creates the state of an attempt that continues at a progress in percent.
    pub(crate) fn at(progress: u8) -> Self {
        Self {
            progress: progress.into(),
        }
    }

    /// Sets the progress in percent. It never decreases.
    pub(crate) fn advance(&self, progress: u8) {
        self.progress
            .fetch_max(progress.min(100), Ordering::Relaxed);
    }

    fn progress(&self) -> u8 {
        self.progress.load(Ordering::Relaxed)
    }
}

impl<P: Ports> Worker<P> {
    /// Renews the lease at every heartbeat interval. Returns when another worker holds the lease. A failed heartbeat is not
    /// a lost lease: the next may succeed, and writes are fenced by the attempt number.
    pub(crate) async fn renew_lease(&self, job: &Job, heartbeat: &Heartbeat) {
        loop {
            tokio::time::sleep(self.heartbeat_interval).await;
            let until = (self.clock)().plus(retry::LEASE);
            let renewed = self
                .ports
                .extend_lease(&job.id, job.attempt, until, heartbeat.progress())
                .await;
            match renewed {
                Ok(true) => {}
                Ok(false) => {
                    tracing::warn!("lease lost; stopping the attempt");
                    return;
                }
                Err(error) => tracing::warn!(%error, "heartbeat failed"),
            }
        }
    }
}
