//! Why there is no result.

use domain::job::JobError;
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

impl EngineError {
    /// A failure of ours, with what was being done.
    pub(crate) fn service(doing: &str, error: impl std::fmt::Display) -> Self {
        Self::Service(format!("{doing}: {error}"))
    }
}
