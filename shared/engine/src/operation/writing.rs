//! What writes a document of the layout model in each format, and whether its pictures have a place there.

use std::fs::File;
use std::io::BufWriter;

use domain::format::Format;
use domain::operation::{ConvertOptions, ILLUSTRATED, PictureTreatment, TableNumber};
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

/// Whether pictures are wanted, and the result has a place for them.
pub(crate) fn keeps_pictures(options: &ConvertOptions) -> bool {
    let wanted = options.images.unwrap_or_default() == PictureTreatment::Keep;
    wanted && ILLUSTRATED.contains(&options.format)
}

/// The child's files are at fault, or a picture that it has put there.
pub(super) fn fault(error: WriteError) -> Fault {
    match error {
        WriteError::Output(error) => Fault::Io(error),
        other => Fault::Installation(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use domain::operation::STRUCTURED;

    use super::*;

    fn keeping(images: &str) -> Vec<Format> {
        let keeps = |format: &&Format| {
            let options = serde_json::json!({"format": format, "images": images});
            keeps_pictures(&serde_json::from_value(options).unwrap())
        };
        STRUCTURED.iter().filter(keeps).copied().collect()
    }

    #[test]
    fn pictures_are_kept_where_they_are_wanted_and_have_a_place() {
        let expected = [Format::Docx, Format::Pptx, Format::Html, Format::Json];
        assert_eq!(keeping("keep"), expected);
        assert_eq!(keeping("drop"), []);
    }
}
