//! The engine interface of a worker.

use domain::format::Format;
use domain::operation::Operation;
use engine::{Artifact, EngineError, Engines, Request};

/// Converts a source to an artifact. Blocks until done or until [`Request::stop`] is set.
pub trait Engine: Send + Sync + 'static {
    /// Runs all steps of a request.
    ///
    /// # Errors
    /// [`EngineError`] distinguishes errors of the document, internal errors and the stop flag.
    fn run(&self, request: &Request<'_>) -> Result<Artifact, EngineError>;

    /// Returns name and version of the engine for an operation on a format, for cache keys; `None` if unsupported.
    fn fingerprint(&self, operation: &Operation, from: Format) -> Option<String>;
}

impl Engine for Engines {
    fn run(&self, request: &Request<'_>) -> Result<Artifact, EngineError> {
        Self::run(self, request)
    }

    fn fingerprint(&self, operation: &Operation, from: Format) -> Option<String> {
        Self::fingerprint(self, operation, from)
    }
}
