//! Why an attempt comes to no result, and whose fault that is.

use domain::job::{JobError, JobErrorCode};
use domain::ports::PortError;
use engine::EngineError;

/// Why an attempt comes to no result.
pub(crate) enum Halt {
    /// The input or the request is at fault.
    Fault(JobError),
    /// The service is at fault; for operators.
    Service(String),
    /// Another has the job.
    LeaseLost,
}

impl Halt {
    /// The input or the request is at fault.
    pub(crate) fn fault(code: JobErrorCode, message: impl Into<String>) -> Self {
        Self::Fault(JobError::new(code, message))
    }

    /// The same, with a fault of the input being one of `what`.
    pub(crate) fn of(self, what: &str) -> Self {
        match self {
            Self::Fault(error) => Self::fault(error.code, format!("{what}: {}", error.message)),
            other => other,
        }
    }
}

impl From<PortError> for Halt {
    fn from(error: PortError) -> Self {
        Self::Service(error.to_string())
    }
}

impl From<EngineError> for Halt {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Document(error) => Self::Fault(error),
            EngineError::Service(reason) => Self::Service(reason),
            EngineError::Stopped => Self::LeaseLost,
        }
    }
}
