//! Errors of reading a document.

use std::io::ErrorKind;

use domain::job::JobErrorCode;
use thiserror::Error;

/// The result of reading.
pub(crate) type Result<T = (), E = MarkupError> = std::result::Result<T, E>;

/// Why a document cannot be read. Messages contain no text of the document.
#[derive(Debug, Error)]
pub enum MarkupError {
    /// The format has no reader in this crate; an office suite can convert it.
    #[error("there is no native reader for this format")]
    Unsupported,
    /// The bytes are not of the declared format.
    #[error("the document is not of the declared format")]
    Mismatch,
    /// The document is encrypted.
    #[error("the document is encrypted")]
    PasswordRequired,
    /// The content of a mail is encrypted, or hidden in a signature; the text completes "The mail …".
    #[error("the mail {0}")]
    Protected(&'static str),
    /// The document is empty.
    #[error("the document is empty")]
    Empty,
    /// The document violates its format, or uses a feature that only malicious documents use.
    #[error("the document is damaged: {0}")]
    Corrupt(&'static str),
    /// The document is valid but uses a feature that is not supported.
    #[error("the document cannot be read: {0}")]
    NotSupported(&'static str),
    /// The document exceeds the [`crate::Limits`].
    #[error("the document is too large: {0}")]
    TooLarge(&'static str),
    /// The file cannot be read: an internal error; retry.
    #[error("the file cannot be read: {0}")]
    File(#[from] std::io::Error),
}

impl MarkupError {
    /// Returns the error code of the job; `None` for an internal error.
    #[must_use]
    pub fn code(&self) -> Option<JobErrorCode> {
        match self {
            Self::Unsupported | Self::Mismatch => Some(JobErrorCode::ContentMismatch),
            Self::PasswordRequired => Some(JobErrorCode::PasswordRequired),
            Self::Protected(_) => Some(JobErrorCode::PermissionDenied),
            Self::Empty => Some(JobErrorCode::InputEmpty),
            Self::Corrupt(_) => Some(JobErrorCode::InputCorrupt),
            Self::NotSupported(_) => Some(JobErrorCode::OutputInvalid),
            Self::TooLarge(_) => Some(JobErrorCode::InputTooLarge),
            Self::File(_) => None,
        }
    }

    /// Classifies an I/O error of a parser: damaged structure is the document's fault, anything else is internal.
    pub(crate) fn reading(error: std::io::Error, damage: &'static str) -> Self {
        match error.kind() {
            ErrorKind::InvalidData
            | ErrorKind::InvalidInput
            | ErrorKind::UnexpectedEof
            | ErrorKind::Unsupported
            | ErrorKind::NotFound
            | ErrorKind::Other => Self::Corrupt(damage),
            _ => Self::File(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_damaged_structure_is_the_fault_of_the_document() {
        for (kind, code) in [
            (ErrorKind::InvalidData, Some(JobErrorCode::InputCorrupt)),
            (ErrorKind::UnexpectedEof, Some(JobErrorCode::InputCorrupt)),
            (ErrorKind::StorageFull, None),
            (ErrorKind::PermissionDenied, None),
        ] {
            let error = MarkupError::reading(kind.into(), "it is damaged");
            assert_eq!(error.code(), code, "{kind:?}");
        }
    }
}
