//! What works on the jobs of one processor, and the ports that it needs.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use domain::ports::{Events, FetchRemote, Jobs, Library, Objects, Outbox, Queues};
use domain::retry;
use domain::timestamp::Timestamp;

use crate::engines::Engine;

/// What a worker needs of the world.
pub trait Ports: Events + Jobs + Library + Objects + Outbox + Queues + 'static {}

impl<P> Ports for P where P: Events + Jobs + Library + Objects + Outbox + Queues + 'static {}

/// Works on the jobs of one processor.
pub struct Worker<P, E> {
    pub(crate) ports: Arc<P>,
    pub(crate) engine: Arc<E>,
    /// Fetches the sources that are no uploads.
    pub(crate) remote: Arc<dyn FetchRemote>,
    /// Where each attempt gets its own scratch directory.
    pub(crate) scratch_base: PathBuf,
    /// Tells the time that leases and moves are written with.
    pub(crate) clock: Box<dyn Fn() -> Timestamp + Send + Sync>,
    pub(crate) heartbeat: Duration,
}

impl<P: Ports, E: Engine> Worker<P, E> {
    /// A worker that keeps its scratch directories in `scratch_base` and goes by `clock`.
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
            heartbeat: retry::HEARTBEAT,
        }
    }
}
