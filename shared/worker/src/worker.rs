//! The worker of one processor and the ports it needs.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use domain::ports::{Events, FetchRemote, Jobs, Library, Objects, Outbox, Queues};
use domain::retry;
use domain::timestamp::Timestamp;

use crate::engines::Engine;

/// Ports that a worker uses.
pub trait Ports: Events + Jobs + Library + Objects + Outbox + Queues + 'static {}

impl<P> Ports for P where P: Events + Jobs + Library + Objects + Outbox + Queues + 'static {}

/// Processes the jobs of one processor.
pub struct Worker<P, E> {
    pub(crate) ports: Arc<P>,
    pub(crate) engine: Arc<E>,
    /// Fetches sources by URL.
    pub(crate) remote: Arc<dyn FetchRemote>,
    /// The parent of the attempts' scratch directories.
    pub(crate) scratch_base: PathBuf,
    /// Returns the current time, for leases and transitions.
    pub(crate) clock: Box<dyn Fn() -> Timestamp + Send + Sync>,
    pub(crate) heartbeat_interval: Duration,
}

impl<P: Ports, E: Engine> Worker<P, E> {
    /// Creates a worker with scratch directories in `scratch_base`.
    #[must_use]
    pub fn new(
        ports: Arc<P>,
        engine: Arc<E>,
        remote: Arc<dyn FetchRemote>,
        scratch_base: PathBuf,
        clock: impl Fn() -> Timestamp + Send + Sync + 'static,
    ) -> Self {
        Self {
            ports,
            engine,
            remote,
            scratch_base,
            clock: Box::new(clock),
            heartbeat_interval: retry::HEARTBEAT,
        }
    }
}
