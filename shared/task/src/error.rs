//! Errors of a task in a child process.

use std::io::ErrorKind;

use domain::job::{JobError, JobErrorCode};

/// The error of a task.
#[derive(Debug)]
pub enum TaskError {
    /// The document or the request is at fault. Customers see this error.
    Document(JobError),
    /// A file could not be read or written.
    Io(std::io::Error),
    /// The installation is incomplete, such as a library that does not load.
    Installation(String),
}

/// The result of work in a child process.
pub type TaskResult<T> = Result<T, TaskError>;

impl TaskError {
    /// Creates an error of the document or the request.
    pub fn document(code: JobErrorCode, message: &str) -> Self {
        Self::Document(JobError::new(code, message))
    }

    /// The document is damaged and cannot be parsed.
    pub fn input_corrupt() -> Self {
        let message = "The document is damaged and cannot be read.";
        Self::document(JobErrorCode::InputCorrupt, message)
    }

    /// The image uses a variant of its format that is not supported.
    pub fn unsupported_variant() -> Self {
        let message = "The image uses a variant of its format that is not supported.";
        Self::document(JobErrorCode::InputCorrupt, message)
    }

    /// The document has another format than declared.
    pub fn content_mismatch() -> Self {
        let message = "The content of the document does not match the declared format.";
        Self::document(JobErrorCode::ContentMismatch, message)
    }

    /// The document requires a password to open.
    pub fn password_required() -> Self {
        let message = "A password is required to open the document.";
        Self::document(JobErrorCode::PasswordRequired, message)
    }

    /// Whether the document requires a password to open.
    pub fn is_password_required(&self) -> bool {
        matches!(self, Self::Document(error) if error.code == JobErrorCode::PasswordRequired)
    }

    /// The document exceeds a limit.
    pub fn too_large(message: &str) -> Self {
        Self::document(JobErrorCode::InputTooLarge, message)
    }

    /// The document has more pages than the plan allows.
    pub fn too_many_pages() -> Self {
        let message = "The document has more pages than the plan allows.";
        Self::document(JobErrorCode::TooManyPages, message)
    }

    /// The password is wrong.
    pub fn password_incorrect() -> Self {
        let message = "The password does not open the document.";
        Self::document(JobErrorCode::PasswordIncorrect, message)
    }

    /// The permissions of the document do not allow the operation.
    pub fn permission_denied() -> Self {
        let message = "The permissions of the document do not allow this operation. Use `decrypt` first, or convert with the owner `password`, if you are allowed to.";
        Self::document(JobErrorCode::PermissionDenied, message)
    }

    /// The document does not have the requested pages.
    pub fn page_range_invalid(message: &str) -> Self {
        Self::document(JobErrorCode::PageRangeInvalid, message)
    }

    /// The form of the document does not accept the given fields or values.
    pub fn fields_invalid(message: &str) -> Self {
        Self::document(JobErrorCode::FieldsInvalid, message)
    }

    /// Prefixes the message with the name of an attached document.
    pub fn with_document_name(self, name: &str) -> Self {
        match self {
            Self::Document(error) => {
                Self::document(error.code, &format!("{name}: {}", error.message))
            }
            other => other,
        }
    }

    /// The result failed verification.
    pub fn output_invalid(reason: &str) -> Self {
        Self::document(
            JobErrorCode::OutputInvalid,
            &format!("The result failed verification: {reason}."),
        )
    }

    /// Classifies an error from reading a document: malformed content is the document's fault, everything else is an I/O error.
    pub fn from_read_error(error: std::io::Error) -> Self {
        match error.kind() {
            ErrorKind::InvalidData
            | ErrorKind::InvalidInput
            | ErrorKind::UnexpectedEof
            | ErrorKind::Unsupported
            | ErrorKind::NotFound
            | ErrorKind::Other => Self::input_corrupt(),
            _ => Self::Io(error),
        }
    }
}

impl From<std::io::Error> for TaskError {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}
