//! Why a command did not do what was asked.

use std::path::PathBuf;

use domain::ports::PortError;
use thiserror::Error;

/// Why a command did not do what was asked.
#[derive(Debug, Error)]
pub(crate) enum AdminError {
    /// The stack file cannot be read.
    #[error("{}: {source}; is the stack running? (make serve writes this file)", .path.display())]
    NoStackFile {
        path: PathBuf,
        source: std::io::Error,
    },
    /// The stack file is not one.
    #[error("{}: not a stack file: {source}", .path.display())]
    BadStackFile {
        path: PathBuf,
        source: serde_json::Error,
    },
    /// The stack file lacks something that this command needs.
    #[error("the stack file names no {0}")]
    NotNamed(String),
    /// There is no such thing.
    #[error("there is no {0}")]
    Unknown(String),
    /// It may not be done.
    #[error("{0}")]
    Refused(String),
    /// A service failed.
    #[error(transparent)]
    Port(#[from] PortError),
    /// The answer cannot be printed.
    #[error("the answer cannot be written: {0}")]
    Answer(#[from] serde_json::Error),
}
