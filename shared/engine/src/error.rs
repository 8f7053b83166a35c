//! Errors of the engine.

use domain::job::JobError;
use office::OfficeError;
use sandbox::SandboxError;
use thiserror::Error;

/// Why a job has no result.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum EngineError {
    /// The document or the request is invalid; a retry fails the same way.
    #[error("{}", .0.message)]
    Document(JobError),
    /// Internal failure; a retry may succeed. Not shown to customers.
    #[error("{0}")]
    Service(String),
    /// The caller set the stop flag.
    #[error("stopped")]
    Stopped,
}

impl From<SandboxError> for EngineError {
    fn from(error: SandboxError) -> Self {
        Self::service("the sandbox failed", error)
    }
}

impl From<OfficeError> for EngineError {
    fn from(error: OfficeError) -> Self {
        match error {
            OfficeError::Stopped => Self::Stopped,
            other => Self::Service(other.to_string()),
        }
    }
}

impl EngineError {
    /// An internal failure; `context` describes what failed.
    pub(crate) fn service(context: &str, error: impl std::fmt::Display) -> Self {
        Self::Service(format!("{context}: {error}"))
    }
}
