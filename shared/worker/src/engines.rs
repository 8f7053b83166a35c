//! What a worker asks of an engine.

use domain::format::Format;
use domain::operation::Operation;
use engine::{Artifact, EngineError, Engines, Request};

/// Turns a source into an artifact. Blocks until it is done or [`Request::stop`] is raised.
pub trait Engine: Send + Sync + 'static {
    /// Does all steps of a request.
    ///
    /// # Errors
    /// [`EngineError`] says whether the document, the service or the stop flag is behind it.
    fn run(&self, request: &Request<'_>) -> Result<Artifact, EngineError>;

    /// What would do an operation on a format, with its version: another result is to be expected when it changes.
    /// `None` when nobody does it.
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
