//! Why a document cannot be written.

use thiserror::Error;
use zip::result::ZipError;

/// Why a document cannot be written.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The output does not take what is written.
    #[error("the document cannot be written: {0}")]
    Output(#[from] std::io::Error),
    /// A picture does not let itself be read.
    #[error("picture {image} cannot be read: {reason}")]
    Picture {
        /// Which of the document's pictures, from 0.
        image: usize,
        /// Why.
        reason: std::io::Error,
    },
    /// The archive that the document is does not take a part.
    #[error("a part of the document cannot be written: {0}")]
    Archive(ZipError),
}

impl From<ZipError> for WriteError {
    fn from(error: ZipError) -> Self {
        match error {
            ZipError::Io(error) => Self::Output(error),
            other => Self::Archive(other),
        }
    }
}

impl From<serde_json::Error> for WriteError {
    fn from(error: serde_json::Error) -> Self {
        Self::Output(error.into())
    }
}
