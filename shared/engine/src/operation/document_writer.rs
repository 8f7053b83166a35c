//! Creates the writer of the layout model for each format.

use std::fs::File;
use std::io::BufWriter;

use domain::format::Format;
use domain::operation::{ConvertOptions, TableNumber};
use layout::writers::{self, Metadata, Pictures, TableSelection, WriteError, Writer};
use task::{Task, TaskError, TaskResult};

/// Creates the writer for the result of a task.
pub(super) fn writer<'a>(
    task: &Task,
    options: &ConvertOptions,
    metadata: &Metadata,
    pictures: &'a dyn Pictures,
) -> TaskResult<Box<dyn Writer + 'a>> {
    let output = BufWriter::new(File::create(task.document())?);
    let table = options.table.map(TableNumber::value);
    let writer = match task.to {
        Format::Docx => writers::docx(output, metadata, pictures, &task.directory),
        Format::Xlsx => writers::xlsx(output, metadata),
        Format::Pptx => writers::pptx(output, metadata, pictures),
        Format::Html => writers::html(output, metadata, pictures),
        Format::Markdown if options.page_markers == Some(true) => {
            writers::markdown_with_page_markers(output, metadata, pictures)
        }
        Format::Markdown => writers::markdown(output, metadata, pictures),
        Format::Json => match options.chunk {
            Some(chunk) => {
                let max_tokens = chunk.max_tokens.value().into();
                writers::json_with_chunks(output, metadata, pictures, max_tokens, &task.directory)
            }
            None => writers::json(output, metadata, pictures),
        },
        Format::Csv => writers::csv(
            output,
            table.map_or(TableSelection::All, TableSelection::Only),
        ),
        Format::Txt => writers::text(output),
        other => {
            return Err(TaskError::Installation(format!(
                "no writer exists for {other}"
            )));
        }
    };
    writer.map_err(write_error)
}

/// Maps write errors: only the child's own files can cause them.
pub(super) fn write_error(error: WriteError) -> TaskError {
    match error {
        WriteError::Output(error) => TaskError::Io(error),
        other => TaskError::Installation(other.to_string()),
    }
}
