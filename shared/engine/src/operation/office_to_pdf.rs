//! Office documents to PDF, by LibreOffice in a fork of the zygote.

mod export;
mod fit;
mod fonts;
mod scrub;

use std::path::Path;

use domain::format::{Category, Format};
use domain::operation::{ConvertOptions, Operation};
use office::{Document, Kit};

use super::kept_pages::kept;
use super::office_document::{Cells, crashed, load, save};
use super::{Module, Run, converts};
use crate::fault::{Fault, Outcome};
use crate::qpdf::{self, Access, Shape};
use crate::task::{Inspection, Product, Task};
use crate::verify;

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
    let document = match asked.fit_to_width {
        Some(true) => fit::to_width(task, inspection, kit)?,
        _ => load(task, inspection, Cells::AsWritten, kit)?,
    };
    let noted = kit.note_fonts();
    let pages = print(&document, asked, &task.output())?;
    let uses = match noted {
        true => kit.font_uses(),
        false => Vec::new(),
    };
    scrub::scrub(&task.output())?;
    Ok(Product {
        pages,
        remarks: fonts::remark(&uses).into_iter().collect(),
        ..Product::default()
    })
}

/// Prints a document. Only the whole of it tells how many pages there are, so some of them are printed in a second go; how
/// many these are.
fn print(document: &Document<'_>, asked: &ConvertOptions, output: &Path) -> Outcome<Option<u32>> {
    save(document, output, Format::Pdf, &export::options(asked, None))?;
    let Some(ranges) = &asked.pages else {
        return Ok(None);
    };
    let Access::Open(Shape { pages: count, .. }) = qpdf::access(output, "")? else {
        return Err(crashed());
    };
    let pages = kept(ranges, count)?;
    if pages.len() < count as usize {
        std::fs::remove_file(output)?;
        let options = export::options(asked, Some(&pages));
        save(document, output, Format::Pdf, &options)?;
    }
    Ok(u32::try_from(pages.len()).ok())
}
