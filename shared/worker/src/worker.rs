//! The worker of one processor and the ports it needs.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use domain::ports::{EngineFunctions, Events, FetchRemote, Jobs, Library, Objects, Outbox, Queues};
use domain::retry;
use domain::timestamp::Timestamp;

use crate::fingerprints::Fingerprints;

/// Ports that a worker uses.
pub trait Ports:
    EngineFunctions + Events + Jobs + Library + Objects + Outbox + Queues + 'static
{
}

impl<P> Ports for P where
    P: EngineFunctions + Events + Jobs + Library + Objects + Outbox + Queues + 'static
{
}

/// Processes the jobs of one processor.
pub struct Worker<P> {
    pub(crate) ports: Arc<P>,
    /// Fetches sources by URL.
    pub(crate) remote: Arc<dyn FetchRemote>,
    /// The parent of the attempts' temporary directories.
    pub(crate) scratch_base: PathBuf,
    /// Returns the current time, for leases and transitions.
    pub(crate) clock: Box<dyn Fn() -> Timestamp + Send + Sync>,
    /// Returns a random number in `[0, 1)`, for jitter.
    pub(crate) jitter: Box<dyn Fn() -> f64 + Send + Sync>,
    pub(crate) heartbeat_interval: Duration,
    pub(crate) fingerprints: Fingerprints,
}

impl<P: Ports> Worker<P> {
    /// Creates a worker with temporary directories in `scratch_base`. `clock` returns the current time, `jitter` a random
    /// number in `[0, 1)`.
    #[must_use]
    pub fn new(
        ports: Arc<P>,
        remote: Arc<dyn FetchRemote>,
        scratch_base: PathBuf,
        clock: impl Fn() -> Timestamp + Send + Sync + 'static,
        jitter: impl Fn() -> f64 + Send + Sync + 'static,
    ) -> Self {
        Self {
            ports,
            remote,
            scratch_base,
            clock: Box::new(clock),
            jitter: Box::new(jitter),
            heartbeat_interval: retry::HEARTBEAT,
            fingerprints: Fingerprints::default(),
        }
    }
}
