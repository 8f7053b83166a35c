//! Errors of an attempt.

use domain::job::{JobError, JobErrorCode};
use domain::ports::PortError;

/// Why an attempt has no result.
#[derive(Debug)]
pub(crate) enum AttemptError {
    /// The document or the request is invalid: the job fails.
    Job(JobError),
    /// An internal error, with the reason for the log: the job is retried.
    Service(String),
    /// A file that this service stored is missing or damaged. A pipeline repeats the step that makes it, if it was cached;
    /// otherwise the job is retried.
    UnusableArtifact(String),
    /// The time is over, and another attempt goes on from what this one stored; with the progress in percent.
    Continued(u8),
    /// The engine function cannot serve the job at present, with the reason for the log: the job is retried, and the
    /// attempt does not count.
    Postponed(String),
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
