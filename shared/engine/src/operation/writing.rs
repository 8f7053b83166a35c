//! What writes a document of the layout model in each format.

use std::fs::File;
use std::io::BufWriter;

use domain::format::Format;
use domain::operation::{ConvertOptions, TableNumber};
use layout::writers::{self, Metadata, Pictures, TableSelection, WriteError, Writer};
use task::{Fault, Outcome, Task};

/// Begins the result of a task.
pub(super) fn writer<'a>(
    task: &Task,
    options: &ConvertOptions,
    facts: &Metadata,
    pictures: &'a dyn Pictures,
) -> Outcome<Box<dyn Writer + 'a>> {
    let output = BufWriter::new(File::create(task.output())?);
    let table = options.table.map(TableNumber::value);
    let writer = match task.to {
        Format::Docx => writers::docx(output, facts, pictures, &task.directory),
        Format::Xlsx => writers::xlsx(output, facts),
        Format::Pptx => writers::pptx(output, facts, pictures),
        Format::Html => writers::html(output, facts, pictures),
        Format::Markdown => writers::markdown(output, facts),
        Format::Json => writers::json(output, facts, pictures),
        Format::Csv => writers::csv(
            output,
            table.map_or(TableSelection::All, TableSelection::Only),
        ),
        Format::Txt => writers::text(output),
        other => return Err(Fault::Installation(format!("nothing writes {other}"))),
    };
    writer.map_err(fault)
}

/// The child's files are at fault, or a picture that it has put there.
pub(super) fn fault(error: WriteError) -> Fault {
    match error {
        WriteError::Output(error) => Fault::Io(error),
        other => Fault::Installation(other.to_string()),
    }
}
