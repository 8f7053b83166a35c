//! Converts office documents to other office formats and CSV/TSV with LibreOffice in a fork of the zygote, and saves
//! formats that only LibreOffice opens in a format that our own readers parse.

mod deterministic;
mod macros;

use domain::format::{Category, Format};
use domain::operation::{Operation, conversion, converts_by_structure};
use domain::processor::Processor;
use office::{Document, LibreOfficeKit};
use task::{DroppedContent, Inspection, Product, Task, TaskResult, Warning};

use super::office_document::{Cells, LocalLinks, load, load_in_batch_mode, save};
use super::{Module, Run, document_to_document};

/// The module's table entry.
pub(crate) const MODULE: Module = Module {
    implements: |operation, from| match operation {
        Operation::Convert(options) if options.format != Format::Pdf => {
            let conversion = conversion(from, options.format);
            let is_office = conversion.is_some_and(|row| row.processor == Processor::ProcessOffice);
            is_office && !options.converts_by_structure(from)
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
        // Our own reader resolves links from the directory of the document.
        let links = LocalLinks::of(&task.directory, "");
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
            product.warnings.extend(other_sheets(&document));
        }
        _ => save(
            &load(task, inspection, Cells::Typed, kit)?,
            &saved_path,
            task.to,
            "",
        )?,
    }
    deterministic::copy(&saved_path, task)?;
    Ok(product)
}

/// The warning about sheets that are not in a result of one sheet.
fn other_sheets(document: &Document<'_>) -> Option<Warning> {
    let mut probes = MAX_PROBES;
    let shown = (0..document.sheets()).filter(|index| document.shows_cells(*index, &mut probes));
    let others = u32::try_from(shown.count())
        .unwrap_or(u32::MAX)
        .saturating_sub(1);
    (others > 0).then_some(Warning::Dropped(DroppedContent::Sheets, others))
}
