//! Errors of a browser.

use std::fmt::Display;

use domain::job::JobErrorCode;
use task::Fault;
use thiserror::Error;

/// Why a command to a browser failed.
#[derive(Debug, Error)]
pub enum BrowserError {
    /// The browser's process or the page's has ended.
    #[error("the browser has ended")]
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
    /// A message of the browser does not have the form that the protocol prescribes.
    #[error("the browser sent a malformed {what}: {reason}")]
    Malformed {
        /// The method, or a part of it.
        what: String,
        /// The parser's message.
        reason: String,
    },
    /// A command cannot be serialized.
    #[error("a command cannot be serialized: {0}")]
    Serialize(#[source] serde_json::Error),
}

impl BrowserError {
    /// A message that does not have the form that the protocol prescribes.
    pub fn malformed(what: impl Into<String>, reason: impl Display) -> Self {
        Self::Malformed {
            what: what.into(),
            reason: reason.to_string(),
        }
    }
}

impl From<BrowserError> for Fault {
    fn from(error: BrowserError) -> Self {
        match error {
            BrowserError::TimedOut => Self::document(
                JobErrorCode::EngineTimeout,
                "Working on the document took too long.",
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
