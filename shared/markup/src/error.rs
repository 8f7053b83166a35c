//! Why a document cannot be read, and what can be done about it.

use std::io::ErrorKind;

use domain::job::JobErrorCode;
use thiserror::Error;

/// What reading comes to.
pub(crate) type Outcome<T = ()> = Result<T, MarkupError>;

/// Why a document cannot be read. None of them names anything that the document says.
#[derive(Debug, Error)]
pub enum MarkupError {
    /// Nothing reads this format here: an office suite can make another one of it.
    #[error("documents of this format have no reader of their own")]
    Unsupported,
    /// The bytes are not of the format that was claimed: claim the right one.
    #[error("the document is not of the format that it claims to be")]
    Mismatch,
    /// It is encrypted: decrypt it first.
    #[error("the document is encrypted")]
    PasswordRequired,
    /// There is nothing in it.
    #[error("the document is empty")]
    Empty,
    /// It breaks the rules of its format, or uses what no honest document does: save it again with what made it.
    #[error("the document is damaged: {0}")]
    Corrupt(&'static str),
    /// It is valid, but uses a feature that is not supported here: save it in another format.
    #[error("the document cannot be read: {0}")]
    NotSupported(&'static str),
    /// It is larger than [`crate::Limits`] allow: divide it.
    #[error("the document is too large: {0}")]
    TooLarge(&'static str),
    /// The file cannot be read: the service is at fault, try again.
    #[error("the file cannot be read: {0}")]
    File(#[from] std::io::Error),
}

impl MarkupError {
    /// The code of a job that ends with it; `None` where the service is at fault.
    #[must_use]
    pub fn code(&self) -> Option<JobErrorCode> {
        match self {
            Self::Unsupported | Self::Mismatch => Some(JobErrorCode::ContentMismatch),
            Self::PasswordRequired => Some(JobErrorCode::PasswordRequired),
            Self::Empty => Some(JobErrorCode::InputEmpty),
            Self::Corrupt(_) => Some(JobErrorCode::InputCorrupt),
            Self::NotSupported(_) => Some(JobErrorCode::OutputInvalid),
            Self::TooLarge(_) => Some(JobErrorCode::InputTooLarge),
            Self::File(_) => None,
        }
    }

    /// Why a file cannot be read: its structure is the document's fault, anything else is the service's.
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
            let error = MarkupError::reading(kind.into(), "it is torn");
            assert_eq!(error.code(), code, "{kind:?}");
        }
    }
}
