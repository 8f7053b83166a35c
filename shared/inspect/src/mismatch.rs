//! Explains errors about content that is not of the declared format: which format it looks like.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::library::media_type;
use task::magic::Container;
use task::{Task, TaskError};

use super::{compound, pdf};

/// Bytes at the start and at the end of a file by which its format is detected.
const SAMPLE: u64 = 64 * 1024;

/// Returns the error with the declared format and the detected one, if the content is not of the declared format.
///
/// # Errors
/// If the document cannot be read.
pub(super) fn explained(
    error: TaskError,
    task: &Task,
    found: Container,
) -> std::io::Result<TaskError> {
    let TaskError::Document(problem) = &error else {
        return Ok(error);
    };
    let declared = task.from;
    let is_damaged = match declared {
        // SVG has no magic bytes.
        Format::Svg => true,
        Format::Pdf => pdf::has_objects(&task.source)?,
        _ => false,
    };
    match problem.code {
        JobErrorCode::ContentMismatch => {}
        JobErrorCode::InputCorrupt if found == Container::Unknown && !is_damaged => {}
        _ => return Ok(error),
    }
    let detected = detected(&task.source, found)?.filter(|format| *format != declared);
    let reason = match detected {
        Some(format) => format!("its content looks like `{format}`"),
        None if problem.code == JobErrorCode::ContentMismatch => {
            format!("its content is not `{declared}`")
        }
        None => {
            format!("it does not begin like `{declared}`: it has another format, or is damaged")
        }
    };
    let message = format!("The document is declared as `{declared}`, but {reason}.");
    Ok(TaskError::document(problem.code, &message))
}

/// The format that the content looks like, without regard to the declared one.
fn detected(path: &Path, found: Container) -> std::io::Result<Option<Format>> {
    if found == Container::Compound {
        return Ok(compound::format(path));
    }
    let mut file = File::open(path)?;
    let size = file.metadata()?.len();
    let (mut head, mut tail) = (Vec::new(), Vec::new());
    (&mut file).take(SAMPLE).read_to_end(&mut head)?;
    file.seek(SeekFrom::Start(size.saturating_sub(SAMPLE)))?;
    file.take(SAMPLE).read_to_end(&mut tail)?;
    let detected = media_type(&head, &tail, &[]);
    Ok(Format::from_mime_type(&detected))
}
