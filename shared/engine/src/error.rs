//! Why there is no result.

use domain::job::JobError;
use office::OfficeError;
use sandbox::SandboxError;
use thiserror::Error;

/// Why there is no result.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum EngineError {
    /// The document or the request is at fault: trying again would end the same way.
    #[error("{}", .0.message)]
    Document(JobError),
    /// The service is at fault: trying again may help. Never shown to customers.
    #[error("{0}")]
    Service(String),
    /// The caller raised its stop flag.
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
    /// A failure of ours, with what was being done.
    pub(crate) fn service(doing: &str, error: impl std::fmt::Display) -> Self {
        Self::Service(format!("{doing}: {error}"))
    }
}
