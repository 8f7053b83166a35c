//! What a worker asks of an engine.

use engine::{Artifact, EngineError, Engines, Request};

/// Turns a source into an artifact. Blocks until it is done or [`Request::stop`] is raised.
pub trait Engine: Send + Sync + 'static {
    /// Does all steps of a request.
    ///
    /// # Errors
    /// [`EngineError`] says whether the document, the service or the stop flag is behind it.
    fn run(&self, request: &Request<'_>) -> Result<Artifact, EngineError>;
}

impl Engine for Engines {
    fn run(&self, request: &Request<'_>) -> Result<Artifact, EngineError> {
        Self::run(self, request)
    }
}
