//! Office documents as LibreOffice gets them, and what it says of them.

mod blank;
mod rewritten;
mod text;

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::operation::Password;
use office::kit::Reading;
use office::{Document, Kit, LoadError};
use task::{Fault, Inspection, Outcome, Task};

pub(super) use self::rewritten::rewrite;
pub(super) use self::text::Cells;

/// Loads the source of a task.
pub(super) fn load<'a>(
    task: &Task,
    inspection: &Inspection,
    cells: Cells,
    kit: &'a Kit,
) -> Outcome<Document<'a>> {
    let input = lay_out(task, inspection)?;
    let filter = text::filter(task.from, inspection.text.as_ref(), cells);
    let reading = Reading {
        filter: filter.as_deref(),
        password: task.password().map(Password::reveal),
        quiet: false,
    };
    kit.load(&input, reading).map_err(refused)
}

/// Loads the source of a task to save less of it than there is, which LibreOffice would want confirmed. It does not if it is to
/// ask nothing; what asks for a password is loaded first, and then without one.
pub(super) fn load_to_lose<'a>(
    task: &Task,
    inspection: &Inspection,
    kit: &'a Kit,
) -> Outcome<Document<'a>> {
    let input = match task.password() {
        None => own(lay_out(task, inspection)?)?,
        Some(_) => {
            let document = load(task, inspection, Cells::Typed, kit)?;
            let open = task.directory.join("open.ods");
            save(&document, &open, Format::Ods, "")?;
            open
        }
    };
    let reading = Reading {
        quiet: true,
        ..Reading::default()
    };
    kit.load(&input, reading).map_err(refused)
}

/// Saves it in a format, with options of the filter that writes it.
pub(super) fn save(
    document: &Document<'_>,
    output: &Path,
    format: Format,
    options: &str,
) -> Outcome<()> {
    // LibreOffice has one filter for all tables in text.
    let filter = match format.is_table_in_text() {
        true => Format::Csv,
        false => format,
    };
    let saved = document.save(output, filter.extension(), options);
    saved.map_err(|_| crashed())
}

/// That LibreOffice has read a document and cannot write it, or writes something else, is a defect.
pub(super) fn crashed() -> Fault {
    let message = "The engine crashed on the document.";
    Fault::document(JobErrorCode::EngineCrashed, message)
}

/// LibreOffice tells formats from extensions, so the customer's name is not used. What is, shows as the name of the only
/// sheet of a table in text.
fn input(task: &Task) -> PathBuf {
    match task.from.is_table_in_text() {
        true => task.directory.join("Sheet1.csv"),
        false => task
            .directory
            .join("document")
            .with_extension(task.from.extension()),
    }
}

/// Text is laid out as UTF-8; everything else as it is, or without what LibreOffice must not see.
fn lay_out(task: &Task, inspection: &Inspection) -> Outcome<PathBuf> {
    let input = input(task);
    match &inspection.text {
        Some(facts) => text::lay_out(task, facts, &input)?,
        None if inspection.blank.is_empty() => symlink(&task.source, &input)?,
        None => blank::copy(&task.source, &inspection.blank, &input)?,
    }
    Ok(input)
}

/// LibreOffice that asks nothing tells the format from the name of the file itself, not from that of a link to it.
fn own(input: PathBuf) -> Outcome<PathBuf> {
    if input.is_symlink() {
        let source = std::fs::read_link(&input)?;
        std::fs::remove_file(&input)?;
        std::fs::copy(source, &input)?;
    }
    Ok(input)
}

/// Why a document is not loaded, as a job is told.
pub(super) fn refused(error: LoadError) -> Fault {
    match error {
        LoadError::PasswordRequired => Fault::password_required(),
        LoadError::PasswordIncorrect => Fault::password_incorrect(),
        LoadError::Unreadable => Fault::corrupt(),
    }
}
