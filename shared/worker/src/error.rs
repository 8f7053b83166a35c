//! Errors of an attempt.

use domain::job::{JobError, JobErrorCode};
use domain::ports::PortError;
use engine::EngineError;

/// Why an attempt has no result.
pub(crate) enum AttemptError {
    /// The document or the request is invalid: the job fails.
    Job(JobError),
    /// An internal error, with the reason for the log: the job is retried.
    Service(String),
    /// Another worker holds the lease.
    LeaseLost,
}

impl AttemptError {
    /// Creates an error of the document or request.
    pub(crate) fn job(code: JobErrorCode, message: impl Into<String>) -> Self {
        Self::Job(JobError::new(code, message))
    }

    /// Prefixes the message of a job error with the name of the file it is about.
    pub(crate) fn in_file(self, name: &str) -> Self {
        match self {
            Self::Job(error) => Self::job(error.code, format!("{name}: {}", error.message)),
            other => other,
        }
    }
}

impl From<PortError> for AttemptError {
    fn from(error: PortError) -> Self {
        Self::Service(error.to_string())
    }
}

impl From<EngineError> for AttemptError {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Document(error) => Self::Job(error),
            EngineError::Service(reason) => Self::Service(reason),
            EngineError::Stopped => Self::LeaseLost,
        }
    }
}
