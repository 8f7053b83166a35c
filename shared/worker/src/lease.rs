//! The lease on a job, renewed by heartbeats. If the worker dies, the lease expires and `sweep` releases the job for a retry.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::time::Duration;

use domain::job::Job;
use domain::retry;

use crate::engines::Engine;
use crate::worker::{Ports, Worker};

/// State shared by an attempt's engine and its heartbeats: stop flag, progress, CPU time.
#[derive(Debug, Default)]
pub(crate) struct Heartbeat {
    stop: AtomicBool,
    progress: AtomicU8,
    /// CPU time in microseconds.
    cpu_time: AtomicU64,
}

impl Heartbeat {
    /// Returns the flag that stops the engine's child processes.
    pub(crate) fn stop_flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// Returns whether the lease was lost.
    pub(crate) fn is_lease_lost(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Adds the CPU time of a finished child process.
    pub(crate) fn add_cpu_time(&self, time: Duration) {
        let microseconds = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.cpu_time.fetch_add(microseconds, Ordering::Relaxed);
    }

    /// Returns the CPU time of all child processes.
    pub(crate) fn cpu_time(&self) -> Duration {
        Duration::from_micros(self.cpu_time.load(Ordering::Relaxed))
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

impl<P: Ports, E: Engine> Worker<P, E> {
    /// Renews the lease at every heartbeat interval. Returns with the stop flag set when another worker holds the lease. A
    /// failed heartbeat is not a lost lease: the next may succeed, and writes are fenced by the attempt number.
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
                    return heartbeat.stop.store(true, Ordering::Relaxed);
                }
                Err(error) => tracing::warn!(%error, "heartbeat failed"),
            }
        }
    }
}
