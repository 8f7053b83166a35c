//! Why a child has no result, before it is told to the parent.

use std::io::ErrorKind;

use domain::job::{JobError, JobErrorCode};

/// Why a child has no result.
#[derive(Debug)]
pub enum Fault {
    /// The document or the request is at fault.
    Document(JobError),
    /// A file could not be read or written.
    Io(std::io::Error),
    /// The installation is at fault, such as a library that does not load.
    Installation(String),
}

/// What the work in a child ends with.
pub type Outcome<T> = Result<T, Fault>;

impl Fault {
    /// The document or the request is at fault.
    pub fn document(code: JobErrorCode, message: &str) -> Self {
        Self::Document(JobError::new(code, message))
    }

    /// The document is damaged beyond reading.
    pub fn corrupt() -> Self {
        let message = "The document is damaged and cannot be read.";
        Self::document(JobErrorCode::InputCorrupt, message)
    }

    /// The image is of a kind that is not read here.
    pub fn variant() -> Self {
        let message = "The image uses a variant of its format that cannot be read.";
        Self::document(JobErrorCode::InputCorrupt, message)
    }

    /// The document is not of the format that it was said to be.
    pub fn mismatch() -> Self {
        let message = "The document is not of the format that it claims to be.";
        Self::document(JobErrorCode::ContentMismatch, message)
    }

    /// The document is protected.
    pub fn password_required() -> Self {
        let message = "The document opens only with a password.";
        Self::document(JobErrorCode::PasswordRequired, message)
    }

    /// Whether it is that the document is protected.
    pub fn is_password_required(&self) -> bool {
        matches!(self, Self::Document(error) if error.code == JobErrorCode::PasswordRequired)
    }

    /// The document asks for more than a limit allows.
    pub fn too_large(message: &str) -> Self {
        Self::document(JobErrorCode::InputTooLarge, message)
    }

    /// The document has more pages than the plan allows.
    pub fn too_many_pages() -> Self {
        let message = "The document has more pages than the plan allows.";
        Self::document(JobErrorCode::TooManyPages, message)
    }

    /// The password given does not open the document.
    pub fn password_incorrect() -> Self {
        let message = "The password does not open the document.";
        Self::document(JobErrorCode::PasswordIncorrect, message)
    }

    /// The owner of the document does not allow the operation.
    pub fn permission_denied() -> Self {
        let message = "The owner of the document does not allow this. If you may, free it by `decrypt` first, or convert it with the owner's `password`.";
        Self::document(JobErrorCode::PermissionDenied, message)
    }

    /// The pages named are not in the document.
    pub fn page_range_invalid(message: &str) -> Self {
        Self::document(JobErrorCode::PageRangeInvalid, message)
    }

    /// The same of a document beside the source, which `which` names.
    pub fn of(self, which: &str) -> Self {
        match self {
            Self::Document(error) => {
                Self::document(error.code, &format!("{which}: {}", error.message))
            }
            other => other,
        }
    }

    /// The result did not pass verification.
    pub fn output_invalid(reason: &str) -> Self {
        Self::document(
            JobErrorCode::OutputInvalid,
            &format!("The result did not pass verification: {reason}."),
        )
    }

    /// What reading a document failed with: structure that cannot be read is the document's fault, the rest is not.
    pub fn reading(error: std::io::Error) -> Self {
        match error.kind() {
            ErrorKind::InvalidData
            | ErrorKind::InvalidInput
            | ErrorKind::UnexpectedEof
            | ErrorKind::Unsupported
            | ErrorKind::NotFound
            | ErrorKind::Other => Self::corrupt(),
            _ => Self::Io(error),
        }
    }
}

impl From<std::io::Error> for Fault {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}
