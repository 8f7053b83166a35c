//! Loads and saves office documents with LibreOffice, and maps its errors.

mod blank;
mod links;
mod package;
mod text;

use std::fs::File;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::operation::Password;
use office::kit::LoadOptions;
use office::{Document, LibreOfficeKit, LoadError};
use task::{Inspection, Task, TaskError, TaskResult};

pub(super) use self::links::LocalLinks;
pub(super) use self::package::rewrite;
pub(super) use self::text::Cells;

/// Loads the source of a task.
pub(super) fn load<'a>(
    task: &Task,
    inspection: &Inspection,
    cells: Cells,
    kit: &'a LibreOfficeKit,
) -> TaskResult<Document<'a>> {
    load_staged(
        &stage_input(task, inspection)?,
        task,
        inspection,
        cells,
        kit,
    )
}

/// Loads the source of a task so that commands may change it: LibreOffice changes no document whose file it may not write.
pub(super) fn load_editable<'a>(
    task: &Task,
    inspection: &Inspection,
    cells: Cells,
    kit: &'a LibreOfficeKit,
) -> TaskResult<Document<'a>> {
    let input = replace_link(stage_input(task, inspection)?)?;
    load_staged(&input, task, inspection, cells, kit)
}

fn load_staged<'a>(
    input: &Path,
    task: &Task,
    inspection: &Inspection,
    cells: Cells,
    kit: &'a LibreOfficeKit,
) -> TaskResult<Document<'a>> {
    let filter = text::filter(task.from, inspection.text.as_ref(), cells);
    let options = LoadOptions {
        filter: filter.as_deref(),
        password: task.password().map(Password::reveal),
        ..load_options(task)
    };
    kit.load(input, options).map_err(load_error)
}

/// Loads the source of a task in LibreOffice's batch mode, for exports that lose content (such as one sheet to CSV), which
/// LibreOffice would otherwise ask to confirm. Batch mode cannot ask for a password either, so a protected document is
/// first saved without one.
pub(super) fn load_in_batch_mode<'a>(
    task: &Task,
    inspection: &Inspection,
    kit: &'a LibreOfficeKit,
) -> TaskResult<Document<'a>> {
    let input = match task.password() {
        None => replace_link(stage_input(task, inspection)?)?,
        Some(_) => {
            let document = load(task, inspection, Cells::Typed, kit)?;
            let open = task.directory.join("open.ods");
            save(&document, &open, Format::Ods, "")?;
            open
        }
    };
    let options = LoadOptions {
        batch: true,
        ..load_options(task)
    };
    kit.load(&input, options).map_err(load_error)
}

/// The options of a load without any but the locale of a task.
pub(super) fn load_options(task: &Task) -> LoadOptions<'static> {
    LoadOptions {
        locale: task::options::locale(&task.operation).tag(),
        ..LoadOptions::default()
    }
}

/// Saves a document in a format with options of the export filter.
pub(super) fn save(
    document: &Document<'_>,
    output: &Path,
    format: Format,
    options: &str,
) -> TaskResult<()> {
    // LibreOffice has one filter for CSV and TSV.
    let filter = match format.is_delimited_text() {
        true => Format::Csv,
        false => format,
    };
    let saved = document.save(output, filter.extension(), options);
    saved.map_err(|_| crashed())
}

/// The error for a document that LibreOffice loaded but failed to save, or saved in an unexpected form.
pub(super) fn crashed() -> TaskError {
    let message = "The engine crashed on the document.";
    TaskError::document(JobErrorCode::EngineCrashed, message)
}

/// The path of LibreOffice's input. LibreOffice detects formats by extension, so the customer's filename is not used. For
/// CSV and TSV the stem becomes the name of the only sheet.
pub(super) fn input(task: &Task) -> PathBuf {
    match task.from.is_delimited_text() {
        true => task.directory.join("Sheet1.csv"),
        false => task
            .directory
            .join("document")
            .with_extension(task.from.extension()),
    }
}

/// Stages the input: text as UTF-8, everything else as a symbolic link, or as a copy with blanked ranges.
fn stage_input(task: &Task, inspection: &Inspection) -> TaskResult<PathBuf> {
    let input = input(task);
    match &inspection.text {
        Some(properties) => text::write_as_utf8(task, properties, &input)?,
        None if inspection.blanked_ranges.is_empty() => symlink(&task.source, &input)?,
        None => blank::copy(&task.source, &inspection.blanked_ranges, &input)?,
    }
    Ok(input)
}

/// Replaces a symbolic link by a copy: in batch mode LibreOffice detects the format by the name of the link's target, and the target
/// is read-only.
fn replace_link(input: PathBuf) -> TaskResult<PathBuf> {
    if input.is_symlink() {
        let source = std::fs::read_link(&input)?;
        std::fs::remove_file(&input)?;
        // `std::fs::copy` would keep the permissions.
        std::io::copy(&mut File::open(source)?, &mut File::create(&input)?)?;
    }
    Ok(input)
}

/// Maps a load error to the job's error.
pub(super) fn load_error(error: LoadError) -> TaskError {
    match error {
        LoadError::PasswordRequired => TaskError::password_required(),
        LoadError::PasswordIncorrect => TaskError::password_incorrect(),
        LoadError::Unreadable => TaskError::input_corrupt(),
    }
}
