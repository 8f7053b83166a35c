//! Errors of a browser.

use std::fmt::Display;

use domain::job::JobErrorCode;
use task::TaskError;
use thiserror::Error;

/// Why a command to a browser failed.
#[derive(Debug, Error)]
pub enum BrowserError {
    /// The browser's process or the page's has ended.
    #[error("the browser exited or crashed")]
    Closed,
    /// No response arrived in time.
    #[error("the browser did not respond in time")]
    TimedOut,
    /// The browser responded with an error.
    #[error("the browser rejected {method}: {reason}")]
    Rejected {
        /// The command.
        method: String,
        /// The browser's message.
        reason: String,
    },
    /// A message of the browser violates the protocol.
    #[error("the browser sent a malformed {what}: {reason}")]
    Malformed {
        /// The method or the part of the message.
        what: String,
        /// The parser's message.
        reason: String,
    },
    /// A command cannot be serialized.
    #[error("a command cannot be serialized: {0}")]
    Serialize(#[source] serde_json::Error),
}

impl BrowserError {
    /// An error for a message that violates the protocol.
    pub fn malformed(what: impl Into<String>, reason: impl Display) -> Self {
        Self::Malformed {
            what: what.into(),
            reason: reason.to_string(),
        }
    }
}

impl From<BrowserError> for TaskError {
    fn from(error: BrowserError) -> Self {
        match error {
            BrowserError::TimedOut => Self::document(
                JobErrorCode::EngineTimeout,
                "Processing the document exceeded the time limit.",
            ),
            BrowserError::Closed
            | BrowserError::Rejected { .. }
            | BrowserError::Malformed { .. }
            | BrowserError::Serialize(_) => Self::document(
                JobErrorCode::EngineCrashed,
                "The engine crashed on the document.",
            ),
        }
    }
}
