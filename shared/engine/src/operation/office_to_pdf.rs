//! Converts office documents to PDF with LibreOffice in a fork of the zygote.

mod column_widths;
mod cut_cells;
mod filter_options;
mod fit;
mod fonts;
mod left_out;
mod page_styles;
mod scrub;
mod wide_table;

use std::path::Path;

use domain::format::{Category, Format};
use domain::operation::{ConvertOptions, Operation};
use fit::Fit;
use office::{Document, LibreOfficeKit};
use pdf::pdf_pages::select;
use pdf::qpdf::{self, Access, FileStructure};
use task::{Inspection, Product, Task, TaskError, TaskResult};

use super::office_document::{Cells, LocalLinks, crashed, input, load, load_editable, save};
use super::page_selection::selected_pages;
use super::{Module, Run, is_conversion};

/// The module's table entry.
pub(crate) const MODULE: Module = Module {
    implements: |operation, from| {
        let kinds = [
            Category::Text,
            Category::Spreadsheet,
            Category::Presentation,
        ];
        is_conversion(operation, from, &kinds, &[Format::Pdf])
    },
    inspect: inspect::document,
    run: Run::Office(convert),
    verify: verify::pdf,
    fingerprint: |installed, _| {
        let office = installed.office.as_ref();
        office.map_or_else(String::new, |office| office.fingerprint.as_str().to_owned())
    },
};

fn convert(task: &Task, inspection: &Inspection, kit: &LibreOfficeKit) -> TaskResult<Product> {
    let Operation::Convert(options) = &task.operation else {
        return Err(TaskError::Installation(
            "the operation is not a conversion".to_owned(),
        ));
    };
    let fit = match (options.fit_to_width, options.single_page_sheets) {
        (Some(true), _) => Some(Fit::Width),
        (_, Some(true)) => Some(Fit::Page),
        _ => None,
    };
    let mut document = match fit {
        Some(fit) => fit::fitted(task, inspection, fit, kit)?,
        None if task.from.spec().category == Category::Spreadsheet => {
            let document = load_editable(task, inspection, Cells::AsWritten, kit)?;
            cut_cells::show_whole(&document, task);
            document
        }
        None => load(task, inspection, Cells::AsWritten, kit)?,
    };
    if task.from.is_delimited_text() {
        let size = column_widths::fit(&document);
        if fit.is_none() {
            document = wide_table::fitted(document, size, task, kit)?;
        }
    }
    let is_recorded = kit.record_fonts();
    let pages = export(&document, options, task)?;
    let usage = match is_recorded {
        true => kit.font_usage(),
        false => document.missing_fonts(),
    };
    let mut warnings = left_out::warnings(&document, task);
    warnings.extend(fonts::warning(&usage));
    Ok(Product {
        pages,
        warnings,
        ..Product::default()
    })
}

/// Exports a document and returns the number of selected pages. The page count is only known after a full export, so a
/// selection is exported in a second run.
fn export(
    document: &Document<'_>,
    options: &ConvertOptions,
    task: &Task,
) -> TaskResult<Option<u32>> {
    let output = &task.output();
    let links = &LocalLinks::of(&task.directory, "").with_document(&input(task));
    write(document, options, None, output, links)?;
    let Some(ranges) = &options.pages else {
        return Ok(None);
    };
    let Access::Open(FileStructure { pages: count, .. }) = qpdf::access(output, "")? else {
        return Err(crashed());
    };
    let pages = selected_pages(ranges, count)?;
    if pages.len() < count as usize {
        export_selection(document, options, task, &pages)?;
    }
    Ok(u32::try_from(pages.len()).ok())
}

/// Exports a selection of pages. LibreOffice numbers a presentation's slides including hidden ones and without notes pages,
/// so pages of presentations are extracted from the full export.
fn export_selection(
    document: &Document<'_>,
    options: &ConvertOptions,
    task: &Task,
    pages: &[u32],
) -> TaskResult<()> {
    let output = task.output();
    if task.from.spec().category != Category::Presentation {
        std::fs::remove_file(&output)?;
        let links = LocalLinks::of(&task.directory, "").with_document(&input(task));
        return write(document, options, Some(pages), &output, &links);
    }
    let full = task.directory.join("whole.pdf");
    std::fs::rename(&output, &full)?;
    select(&full, pages, task, &output)
}

fn write(
    document: &Document<'_>,
    options: &ConvertOptions,
    pages: Option<&[u32]>,
    output: &Path,
    links: &LocalLinks,
) -> TaskResult<()> {
    let options = filter_options::options(options, pages);
    save(document, output, Format::Pdf, &options)?;
    Ok(scrub::scrub(output, links)?)
}
