//! Opens structured documents.

use domain::job::JobErrorCode;
use markup::{MarkupError, Options, Reader};
use task::options::conversion;
use task::{Task, TaskError, TaskResult};

/// Opens the source of a task, or its repaired copy.
///
/// # Errors
/// [`TaskError`] if the document cannot be opened; see [`task_error`].
pub(super) fn open(task: &Task) -> TaskResult<Reader> {
    let requested = conversion(&task.operation)?;
    let options = Options {
        speaker_notes: requested.notes.unwrap_or_default(),
        locale: requested.locale(),
        ..Options::default()
    };
    let opened = Reader::open(&task.readable(), task.from, &options);
    opened.map_err(task_error)
}

/// Maps errors of the reader to those of other document checks.
pub(in super::super) fn task_error(error: MarkupError) -> TaskError {
    match error {
        MarkupError::Unsupported | MarkupError::Mismatch => TaskError::content_mismatch(),
        MarkupError::PasswordRequired => TaskError::password_required(),
        MarkupError::Protected(how) => TaskError::document(
            JobErrorCode::PermissionDenied,
            &format!("The mail {how} and cannot be read. Save it without this protection."),
        ),
        MarkupError::Empty => {
            TaskError::document(JobErrorCode::InputEmpty, "The document is empty.")
        }
        MarkupError::Corrupt(_) => TaskError::input_corrupt(),
        MarkupError::NotSupported(why) => TaskError::document(
            JobErrorCode::OutputInvalid,
            &format!("The document cannot be read: {why}. Save it as XLSX."),
        ),
        MarkupError::TooLarge(how) => {
            TaskError::too_large(&format!("The document is too large: {how}."))
        }
        MarkupError::File(error) => TaskError::Io(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reader_errors_map_to_job_error_codes() {
        let errors = [
            MarkupError::Unsupported,
            MarkupError::Mismatch,
            MarkupError::PasswordRequired,
            MarkupError::Protected("it is"),
            MarkupError::Empty,
            MarkupError::Corrupt("it is"),
            MarkupError::NotSupported("it is"),
            MarkupError::TooLarge("it is"),
        ];
        for error in errors {
            let code = error.code();
            let TaskError::Document(error) = task_error(error) else {
                panic!("{code:?}");
            };
            assert_eq!(Some(error.code), code);
        }
    }
}
