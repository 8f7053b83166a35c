//! Converts structured documents (office and markup formats) to other structured formats: parses them into the layout model
//! without an office suite, and writes it page by page.

mod pictures;
mod source;
mod warnings;

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::operation::{ConvertOptions, Operation};
use inspect::write_utf8;
use layout::writers::{NoPictures, Pictures, WriteReport};
use markup::Loss;
use pdf::text_drawing;
use task::options::{conversion, keeps_pictures};
use task::progress::ProgressWriter;
use task::{Inspection, Product, Task, TaskError, TaskResult, engine_versions};

use self::pictures::PackagePictures;
use self::source::open;
pub(super) use self::source::task_error;
pub(super) use self::warnings::warnings;
use super::bundle::BundledPictures;
use super::document_writer::{write_error, writer};
use super::written_content::WrittenContent;
use super::{Module, Run};

/// The module's table entry.
pub(crate) const MODULE: Module = Module {
    implements: |operation, from| match operation {
        Operation::Convert(options) => options.converts_without_office_suite(from),
        _ => false,
    },
    inspect: inspect::document,
    run: Run::Child(run),
    verify: verify::converted,
    fingerprint: |_, _| fingerprint(),
};

fn run(task: &Task, inspection: &Inspection) -> TaskResult<Product> {
    write_as_utf8(task, inspection)?;
    convert_source(task)
}

/// Engines and versions. Drawings may contain text, which is rendered with the system's fonts.
pub(super) fn fingerprint() -> String {
    let (drawings, letters) = (engine_versions::OXIPNG, text_drawing::fingerprint());
    let (markup, layout) = (markup::VERSION, layout::VERSION);
    format!("markup {markup} layout {layout} {drawings} {letters}")
}

/// Converts the source of a task.
pub(super) fn convert_source(task: &Task) -> TaskResult<Product> {
    let mut reader = open(task)?;
    let options = conversion(&task.operation)?;
    let converted = PackagePictures::new(reader.pictures(), &task.directory);
    let pictures: &dyn Pictures = match keeps_pictures(options) {
        true => &converted,
        false => &NoPictures,
    };
    let bundled = options
        .bundles_images()
        .then(|| BundledPictures::new(pictures));
    let pictures = bundled.as_ref().map_or(pictures, |bundled| bundled);
    let mut writer = writer(task, options, reader.metadata(), pictures)?;
    let mut content = WrittenContent::new(task, options);
    let mut progress = ProgressWriter::start(&task.scratch);
    for done in 1.. {
        let Some(page) = reader.next_page().map_err(task_error)? else {
            break;
        };
        content.add(&page)?;
        writer.page(page).map_err(write_error)?;
        progress.report(done, done + reader.left());
    }
    let written = writer.finish().map_err(write_error)?;
    check(options, &written)?;
    content.check(|| Ok(String::new()))?;
    let mut losses = reader.warnings();
    // Text and CSV have no links.
    losses.retain(|lost| lost.loss != Loss::Link || !matches!(task.to, Format::Txt | Format::Csv));
    let warnings = warnings(&losses, converted.missing(), written.truncated_cells);
    let archived = bundled.map(|bundled| bundled.archive(task)).transpose()?;
    Ok(Product {
        // Other formats have no pages.
        pages: (task.to == Format::Json).then_some(written.pages),
        warnings: warnings.into_iter().chain(content.warnings()).collect(),
        ..archived.unwrap_or_default()
    })
}

/// Converts text to UTF-8 from the encoding that inspection detected. HTML is excluded because it may declare its encoding
/// itself.
fn write_as_utf8(task: &Task, inspection: &Inspection) -> TaskResult<()> {
    let text = inspection.text.as_ref();
    let text = text.filter(|text| text.encoding != "UTF-8" && task.from != Format::Html);
    text.map_or(Ok(()), |text| {
        write_utf8(&task.source, text, &task.repaired())
    })
}

/// Requires a page, and for tabular formats a table.
fn check(options: &ConvertOptions, written: &WriteReport) -> TaskResult<()> {
    if written.pages == 0 {
        let message = "The document has no visible content.";
        return Err(TaskError::document(JobErrorCode::InputEmpty, message));
    }
    if written.tables > 0 || !matches!(options.format, Format::Xlsx | Format::Csv) {
        return Ok(());
    }
    let message = match options.table {
        Some(table) => format!("The document has no table {}.", table.value()),
        None => "The document has no table.".to_owned(),
    };
    Err(TaskError::document(JobErrorCode::OutputInvalid, &message))
}
