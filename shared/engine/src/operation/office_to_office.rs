//! Converts office documents to other office formats and CSV/TSV with LibreOffice in a fork of the zygote, and saves
//! formats that only LibreOffice opens in a format that our own readers parse.

mod deterministic;
mod macros;
mod sheet_losses;

use domain::format::{Category, Format};
use domain::job::JobErrorCode;
use domain::operation::{Operation, conversion, converts_by_structure};
use domain::processor::Processor;
use office::{Document, LibreOfficeKit};
use task::{DroppedContent, Inspection, Product, Task, TaskError, TaskResult, Warning};

use super::office_document::{Cells, LocalLinks, load, load_in_batch_mode, save};
use super::written_content::has_text;
use super::{Module, Run, document_to_document};

/// The module's table entry.
pub(crate) const MODULE: Module = Module {
    implements: |operation, from| match operation {
        Operation::Convert(options) if options.format != Format::Pdf => {
            let conversion = conversion(from, options.format);
            let is_office = conversion.is_some_and(|row| row.processor == Processor::ProcessOffice);
            is_office && !options.converts_without_office_suite(from)
        }
        _ => false,
    },
    inspect: inspect::document,
    run: Run::Office(convert),
    verify: verify::converted,
    fingerprint: |installed, _| {
        let office = installed.office.as_ref();
        let office = office.map_or("", |office| office.fingerprint.as_str());
        format!("{office} {}", document_to_document::fingerprint())
    },
};

/// Export options of CSV after the separator [LibreOffice help, "Filter Options for CSV"]: quotation mark, UTF-8. All
/// others keep their defaults: quotation marks where needed, cells as displayed, the active sheet. They cannot be set,
/// because LibreOfficeKit puts a space before each token, which then is not recognized.
const CSV_OPTIONS: &str = "34,76";

/// Maximum number of sheets whose only cell is read to find out whether they are empty.
const MAX_PROBES: u32 = 100;

/// Name of the file that LibreOffice saves.
const SAVED: &str = "made";

/// The intermediate format that LibreOffice saves for our own reader, if the conversion needs one because only LibreOffice
/// opens the source.
fn intermediate_format(task: &Task) -> Option<Format> {
    let converts_by_structure = task.to == Format::Txt || converts_by_structure(task.from, task.to);
    let format = match task.from.spec().category {
        Category::Spreadsheet => Format::Ods,
        Category::Presentation => Format::Odp,
        _ => Format::Odt,
    };
    converts_by_structure.then_some(format)
}

/// The same task with the file that LibreOffice saved as source.
fn with_saved_source(task: &Task, format: Format) -> Task {
    Task {
        source: task.directory.join(SAVED),
        from: format,
        ..task.clone()
    }
}

fn convert(task: &Task, inspection: &Inspection, kit: &LibreOfficeKit) -> TaskResult<Product> {
    let saved_path = task.directory.join(SAVED);
    // Text is written by our own writer, because LibreOffice's text filter omits the final line break of a document that
    // ends in a table.
    if let Some(format) = intermediate_format(task) {
        let document = load(task, inspection, Cells::Typed, kit)?;
        let raw = task.directory.join("raw");
        save(&document, &raw, format, "")?;
        // The file is a package, in which relative links start.
        let links = LocalLinks::of(&task.directory, "../");
        deterministic::copy_package(&raw, &links, &saved_path)?;
        return document_to_document::convert_source(&with_saved_source(task, format));
    }
    let mut product = Product::default();
    match task.to {
        Format::Csv | Format::Tsv => {
            let separator = if task.to == Format::Tsv { '\t' } else { ',' };
            let options = format!("{},{CSV_OPTIONS}", u32::from(separator));
            let document = match task.from.is_delimited_text() {
                true => load(task, inspection, Cells::AsWritten, kit)?,
                false => load_in_batch_mode(task, inspection, kit)?,
            };
            save(&document, &saved_path, task.to, &options)?;
            deterministic::copy(&saved_path, task)?;
            let sheets = sheets_with_content(&document);
            if !has_text(&task.output())? {
                return Err(empty_sheet(sheets));
            }
            for (dropped, count) in [
                (DroppedContent::Sheets, sheets.saturating_sub(1)),
                (DroppedContent::Hidden, document.hidden_parts()),
            ] {
                let dropped = Warning::Dropped(dropped, count);
                product.warnings.extend((count > 0).then_some(dropped));
            }
            if !task.from.is_delimited_text() {
                product.warnings.extend(sheet_losses::warnings(task));
            }
        }
        _ => {
            let document = load(task, inspection, Cells::Typed, kit)?;
            save(&document, &saved_path, task.to, "")?;
            deterministic::copy(&saved_path, task)?;
        }
    }
    Ok(product)
}

/// The number of visible sheets that have cells with content.
fn sheets_with_content(document: &Document<'_>) -> u32 {
    let mut probes = MAX_PROBES;
    let shown = (0..document.sheets()).filter(|index| document.shows_cells(*index, &mut probes));
    u32::try_from(shown.count()).unwrap_or(u32::MAX)
}

/// The error about an active sheet without content, of a document with so many other sheets.
fn empty_sheet(others: u32) -> TaskError {
    let message = match others {
        0 => "The document has no cells with content.",
        _ => {
            "The active sheet has no cells with content. Save the document with another sheet as the active one, \
             or convert to XLSX, JSON or HTML to get all sheets."
        }
    };
    TaskError::document(JobErrorCode::OutputInvalid, message)
}
