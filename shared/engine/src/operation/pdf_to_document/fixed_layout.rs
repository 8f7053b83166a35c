//! Writes documents with a fixed layout: all content keeps its position.

use std::fs::File;
use std::io::BufWriter;

use domain::format::Format;
use layout::FixedPage;
use layout::analysis::FixedReading;
use layout::writers::{Metadata, Pictures, Writer, fixed};
use task::progress::ProgressWriter;
use task::{Product, Task, TaskError, TaskResult};

use super::page_warnings::PageWarnings;
use super::{WrittenContent, write_error};

/// Creates the writer of the requested format.
pub(super) fn writer<'a>(
    task: &Task,
    metadata: &Metadata,
    pictures: &'a dyn Pictures,
) -> TaskResult<Box<dyn Writer<FixedPage> + 'a>> {
    let output = BufWriter::new(File::create(task.output())?);
    let writer = match task.to {
        Format::Docx => fixed::docx(output, metadata, pictures),
        Format::Pptx => fixed::pptx(output, metadata, pictures),
        Format::Html => fixed::html(output, metadata, pictures),
        Format::Txt => fixed::text(output),
        other => {
            return Err(TaskError::Installation(format!(
                "no fixed-layout writer exists for {other}"
            )));
        }
    };
    writer.map_err(write_error)
}

/// Writes all pages, reports the progress, and collects warnings.
pub(super) fn write_pages(
    mut writer: Box<dyn Writer<FixedPage> + '_>,
    (pages, count): (impl Iterator<Item = TaskResult<FixedReading>>, usize),
    (content, mut page_warnings): (&mut WrittenContent<'_>, PageWarnings<'_>),
    mut progress: ProgressWriter,
) -> TaskResult<Product> {
    for (index, read) in pages.enumerate() {
        let FixedReading { page, warnings } = read?;
        page_warnings.add_warnings(page.number, &warnings);
        content.add_fixed(&page);
        writer.page(page).map_err(write_error)?;
        progress.report(index + 1, count);
    }
    let written = writer.finish().map_err(write_error)?;
    Ok(Product {
        pages: Some(written.pages),
        warnings: page_warnings.warnings(&written),
        ..Product::default()
    })
}
