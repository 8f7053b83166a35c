//! Office documents to PDF, by LibreOffice in a fork of the zygote.

mod export;
mod fit;
mod fonts;
mod scrub;

use std::path::Path;

use domain::format::{Category, Format};
use domain::operation::{ConvertOptions, Operation};
use fit::Fit;
use office::{Document, Kit};
use pdf::pdf_pages::select;
use pdf::qpdf::{self, Access, Shape};
use task::{Fault, Inspection, Outcome, Product, Task};

use super::kept_pages::kept;
use super::office_document::{Cells, crashed, load, save};
use super::{Module, Run, converts};

/// This module's row.
pub(crate) const MODULE: Module = Module {
    does: |operation, from| {
        let kinds = [
            Category::Text,
            Category::Spreadsheet,
            Category::Presentation,
        ];
        converts(operation, from, &kinds, &[Format::Pdf])
    },
    inspect: inspect::document,
    run: Run::Office(convert),
    verify: verify::pdf,
    fingerprint: |installed, _| {
        let office = installed.office.as_ref();
        office.map_or_else(String::new, |office| office.fingerprint.clone())
    },
};

fn convert(task: &Task, inspection: &Inspection, kit: &Kit) -> Outcome<Product> {
    let Operation::Convert(asked) = &task.operation else {
        return Err(Fault::Installation("this is no conversion".to_owned()));
    };
    let document = match (asked.fit_to_width, asked.single_page_sheets) {
        (Some(true), _) => fit::fitted(task, inspection, Fit::Width, kit)?,
        (_, Some(true)) => fit::fitted(task, inspection, Fit::Page, kit)?,
        _ => load(task, inspection, Cells::AsWritten, kit)?,
    };
    let noted = kit.note_fonts();
    let pages = print(&document, asked, task)?;
    let uses = match noted {
        true => kit.font_uses(),
        false => Vec::new(),
    };
    Ok(Product {
        pages,
        remarks: fonts::remark(&uses).into_iter().collect(),
        ..Product::default()
    })
}

/// Prints a document. Only the whole of it tells how many pages there are, so some of them are printed in a second go; how
/// many these are.
fn print(document: &Document<'_>, asked: &ConvertOptions, task: &Task) -> Outcome<Option<u32>> {
    let output = &task.output();
    write(document, asked, None, output)?;
    let Some(ranges) = &asked.pages else {
        return Ok(None);
    };
    let Access::Open(Shape { pages: count, .. }) = qpdf::access(output, "")? else {
        return Err(crashed());
    };
    let pages = kept(ranges, count)?;
    if pages.len() < count as usize {
        print_some(document, asked, task, &pages)?;
    }
    Ok(u32::try_from(pages.len()).ok())
}

/// Prints some of the pages that were printed. Of a presentation LibreOffice counts slides, those that are hidden as well and
/// pages of notes not, so that its pages are taken from the whole.
fn print_some(
    document: &Document<'_>,
    asked: &ConvertOptions,
    task: &Task,
    pages: &[u32],
) -> Outcome<()> {
    let output = task.output();
    if task.from.facts().category != Category::Presentation {
        std::fs::remove_file(&output)?;
        return write(document, asked, Some(pages), &output);
    }
    let whole = task.directory.join("whole.pdf");
    std::fs::rename(&output, &whole)?;
    select(&whole, pages, task, &output)
}

fn write(
    document: &Document<'_>,
    asked: &ConvertOptions,
    pages: Option<&[u32]>,
    output: &Path,
) -> Outcome<()> {
    let options = export::options(asked, pages);
    save(document, output, Format::Pdf, &options)?;
    Ok(scrub::scrub(output)?)
}
