//! Opens documents that say how they are built, for those who convert them and those who check what came of it.

use domain::job::JobErrorCode;
use markup::{MarkupError, Options, Reader};
use task::options::conversion;
use task::{Fault, Outcome, Task};

/// Opens the source of a task, or the mended copy of it.
pub fn open(task: &Task) -> Outcome<Reader> {
    let asked = conversion(&task.operation)?;
    let options = Options {
        speaker_notes: asked.notes.unwrap_or_default(),
        ..Options::default()
    };
    let opened = Reader::open(&task.readable(), task.from, &options);
    opened.map_err(refused)
}

/// Why a document is not read, in the words that other readers of documents use.
pub fn refused(error: MarkupError) -> Fault {
    match error {
        MarkupError::Unsupported | MarkupError::Mismatch => Fault::mismatch(),
        MarkupError::PasswordRequired => Fault::password_required(),
        MarkupError::Empty => Fault::document(JobErrorCode::InputEmpty, "The document is empty."),
        MarkupError::Corrupt(_) => Fault::corrupt(),
        MarkupError::NotSupported(why) => Fault::document(
            JobErrorCode::OutputInvalid,
            &format!("The document cannot be read: {why}. Save it as XLSX."),
        ),
        MarkupError::TooLarge(how) => {
            Fault::too_large(&format!("The document is too large: {how}."))
        }
        MarkupError::File(error) => Fault::Io(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_end_with_the_codes_that_the_reader_names() {
        let errors = [
            MarkupError::Unsupported,
            MarkupError::Mismatch,
            MarkupError::PasswordRequired,
            MarkupError::Empty,
            MarkupError::Corrupt("it is"),
            MarkupError::NotSupported("it is"),
            MarkupError::TooLarge("it is"),
        ];
        for error in errors {
            let code = error.code();
            let Fault::Document(told) = refused(error) else {
                panic!("{code:?}");
            };
            assert_eq!(Some(told.code), code);
        }
    }
}
