//! Errors of writing a document.

use thiserror::Error;
use zip::result::ZipError;

/// Why a document cannot be written.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The output cannot be written.
    #[error("the document cannot be written: {0}")]
    Output(#[from] std::io::Error),
    /// A picture cannot be read.
    #[error("picture {image} cannot be read: {reason}")]
    Picture {
        /// Index of the picture, from 0.
        image: usize,
        /// Cause.
        reason: std::io::Error,
    },
    /// A part cannot be added to the ZIP archive.
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
