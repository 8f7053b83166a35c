//! Errors of the engine.

use domain::job::{JobError, JobErrorCode};
use domain::ocr_part::OcrRanges;
use office::OfficeError;
use sandbox::SandboxError;
use thiserror::Error;

/// Why a job has no result.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum EngineError {
    /// The document or the request is invalid; a retry fails the same way.
    #[error("{}", .0.message)]
    Document(JobError),
    /// OCR of the document takes a run for each of these ranges of pages.
    #[error("the document is too long for one run")]
    TooLong(OcrRanges),
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
    /// Whether an engine crashed, exceeded a limit, was stopped, or failed for an internal reason: a document may have left
    /// something behind, so the next one should be processed by a new process.
    #[must_use]
    pub fn is_abnormal(&self) -> bool {
        match self {
            Self::Document(error) => matches!(
                error.code,
                JobErrorCode::EngineCrashed
                    | JobErrorCode::EngineTimeout
                    | JobErrorCode::EngineOutOfMemory
                    | JobErrorCode::OutputTooLarge
            ),
            Self::TooLong(_) => false,
            Self::Service(_) | Self::Stopped => true,
        }
    }

    /// Whether an engine crashed, or exceeded its time or memory.
    pub(crate) fn is_exceeded_or_crashed(&self) -> bool {
        matches!(self, Self::Document(error) if matches!(
            error.code,
            JobErrorCode::EngineCrashed
                | JobErrorCode::EngineTimeout
                | JobErrorCode::EngineOutOfMemory
        ))
    }

    /// An internal failure; `context` describes what failed.
    pub(crate) fn service(context: &str, error: impl std::fmt::Display) -> Self {
        Self::Service(format!("{context}: {error}"))
    }
}
