//! Office documents to other office formats and tables in text, by LibreOffice in a fork of the zygote; and what is read of
//! documents that LibreOffice alone opens.

mod steady;

use domain::format::{Category, Format};
use domain::operation::{Operation, conversion, is_read};
use domain::processor::Processor;
use office::Kit;
use task::{Inspection, Outcome, Product, Task, Verified};

use super::office_document::{Cells, load, load_to_lose, save};
use super::{Module, Run, document_to_document};

/// This module's row.
pub(crate) const MODULE: Module = Module {
    does: |operation, from| match operation {
        Operation::Convert(options) if options.format != Format::Pdf => {
            let conversion = conversion(from, options.format);
            let is_office = conversion.is_some_and(|row| row.processor == Processor::ProcessOffice);
            is_office && !options.reads(from)
        }
        _ => false,
    },
    inspect: inspect::document,
    run: Run::Office(convert),
    verify,
    fingerprint: |installed, _| {
        let office = installed.office.as_ref();
        let office = office.map_or("", |office| office.fingerprint.as_str());
        format!("{office} {}", document_to_document::fingerprint())
    },
};

/// How a table is written in text behind its separator [LibreOffice help, "Filter Options for CSV"]: quotation mark, UTF-8. The
/// rest is as LibreOffice does it when nothing is said: quotation marks where needed, cells as they are shown, the sheet that
/// is in front. It could not be said, as LibreOffice's library puts a space before each word, and then knows none.
const TABLE: &str = "34,76";

/// The file that LibreOffice saves.
const MADE: &str = "made";

/// What is read says what the document that LibreOffice saved for it says.
fn verify(task: &Task, product: &Product) -> Outcome<Verified> {
    match read_as(task) {
        Some(format) => verify::retold(&saved(task, format), product),
        None => verify::office(task, product),
    }
}

/// The format that LibreOffice saves the source in for our own reader, if that is what makes the result: of what it alone opens.
fn read_as(task: &Task) -> Option<Format> {
    let is_read = task.to == Format::Txt || is_read(task.from, task.to);
    let format = match task.from.facts().category {
        Category::Spreadsheet => Format::Ods,
        Category::Presentation => Format::Odp,
        _ => Format::Odt,
    };
    is_read.then_some(format)
}

/// The same task on what LibreOffice saved.
fn saved(task: &Task, format: Format) -> Task {
    Task {
        source: task.directory.join(MADE),
        from: format,
        ..task.clone()
    }
}

fn convert(task: &Task, inspection: &Inspection, kit: &Kit) -> Outcome<Product> {
    let made = task.directory.join(MADE);
    // LibreOffice's own filter for text never ends a document whose last thing is a table.
    if let Some(format) = read_as(task) {
        let document = load(task, inspection, Cells::Typed, kit)?;
        save(&document, &made, format, "")?;
        return document_to_document::retell(&saved(task, format));
    }
    match task.to {
        Format::Csv | Format::Tsv => {
            let separator = if task.to == Format::Tsv { '\t' } else { ',' };
            let options = format!("{},{TABLE}", u32::from(separator));
            let document = match task.from.is_table_in_text() {
                true => load(task, inspection, Cells::AsWritten, kit)?,
                false => load_to_lose(task, inspection, kit)?,
            };
            save(&document, &made, task.to, &options)?;
        }
        _ => save(
            &load(task, inspection, Cells::Typed, kit)?,
            &made,
            task.to,
            "",
        )?,
    }
    steady::copy(&made, task.to, &task.output())?;
    Ok(Product::default())
}
