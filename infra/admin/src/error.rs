//! Errors of commands.

use std::path::PathBuf;

use domain::ports::PortError;
use thiserror::Error;

/// Error of a command.
#[derive(Debug, Error)]
pub(crate) enum AdminError {
    /// The stack file cannot be read.
    #[error("cannot read the stack file {}: {source}; run `make serve` or set --stack-file", .path.display())]
    UnreadableStackFile {
        path: PathBuf,
        source: std::io::Error,
    },
    /// The stack file cannot be parsed.
    #[error("{} is not a valid stack file: {source}", .path.display())]
    InvalidStackFile {
        path: PathBuf,
        source: serde_json::Error,
    },
    /// The stack file lacks an entry that the command needs.
    #[error("the stack file has no entry for {0}")]
    MissingEntry(String),
    /// The resource does not exist.
    #[error("{0} does not exist")]
    NotFound(String),
    /// The command is not allowed in the current state, or its input is invalid.
    #[error("{0}")]
    Rejected(String),
    /// A service failed.
    #[error(transparent)]
    Port(#[from] PortError),
    /// The output cannot be serialized.
    #[error("the output cannot be serialized: {0}")]
    Serialization(#[from] serde_json::Error),
}
