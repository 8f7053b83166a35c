//! PDF to plain text: UTF-8, a line feed at the end of every line, a form feed between pages. Filled-in forms are text, too.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;

use domain::format::{Category, Format};
use pdfium_render::prelude::PdfPage;

use super::flatten::fields;
use super::{Module, Run, converts};
use crate::arrangement::chosen;
use crate::fault::{Fault, Outcome};
use crate::installed::linked;
use crate::progress::Teller;
use crate::remark::Remark;
use crate::task::{Inspection, Product, Task};
use crate::verify;
use crate::{lettering, patch, pdfium};

/// This module's row.
pub(crate) const MODULE: Module = Module {
    does: |operation, from| converts(operation, from, &[Category::Pdf], &[Format::Txt]),
    run: Run::Child(run),
    verify: verify::page_texts,
    fingerprint: |installed, _| {
        let pdfium = installed.pdfium.as_ref();
        let pdfium = pdfium.map_or("", |pdfium| pdfium.fingerprint.as_str());
        let lettering = lettering::fingerprint();
        format!("{pdfium} {} {} {lettering}", linked::QPDF, linked::LOPDF)
    },
};

fn run(task: &Task, inspection: &Inspection) -> Outcome<Product> {
    let library = pdfium::load(task)?;
    let drawn = match inspection.catalog.form {
        true => with_fields(task)?,
        false => None,
    };
    let document = match &drawn {
        Some(drawn) => library.load_pdf_from_file(drawn, None),
        None => library.load_pdf_from_file(&task.readable(), None),
    };
    let document = document.map_err(pdfium::fault)?;
    let numbers = chosen(&task.operation, inspection.pages.unwrap_or(0))?;
    let mut output = BufWriter::new(File::create(task.output())?);
    let mut teller = Teller::begin(&task.scratch);
    let mut without_text = 0;
    for (written, number) in numbers.iter().enumerate() {
        let index = i32::try_from(*number).map_err(|_| Fault::corrupt())? - 1;
        let mut page = document.pages().get(index).map_err(pdfium::fault)?;
        // What forms hold and annotations say becomes part of the page; a page that cannot be changed has its text still.
        page.flatten().ok();
        if written > 0 {
            output.write_all(b"\x0c")?;
        }
        let text = text(&page)?;
        without_text += u32::from(text.trim().is_empty());
        output.write_all(text.as_bytes())?;
        teller.tell(written + 1, numbers.len());
    }
    output.flush()?;
    let pages = u32::try_from(numbers.len()).unwrap_or(0);
    let remark = (without_text > 0).then_some(Remark::NoTextLayer(without_text, pages));
    Ok(Product {
        pages: Some(pages),
        remarks: Vec::from_iter(remark),
        ..Product::default()
    })
}

/// A copy of the document whose fields are drawn that were not, or none where all of them were.
pub(super) fn with_fields(task: &Task) -> Outcome<Option<PathBuf>> {
    let (plain, drawn) = (task.directory.join("plain"), task.directory.join("drawn"));
    patch::plain(&task.readable(), &plain)?;
    // What cannot be understood has the text of its pages still.
    let Ok(document) = patch::skeleton(&plain) else {
        return Ok(None);
    };
    let patch = fields::drawn(&document, &task.directory.join("fields"))?.patch;
    if patch.is_empty() {
        return Ok(None);
    }
    let job = patch.job(&plain, &task.directory.join("patch"))?;
    job.option("--deterministic-id").write(&drawn)?;
    Ok(Some(drawn))
}

/// The characters of a page in the order of the document, ending with a line feed. The library ends lines itself.
pub(super) fn text(page: &PdfPage<'_>) -> Outcome<String> {
    let page_text = page.text().map_err(pdfium::fault)?;
    let mut text = String::new();
    for character in page_text.chars().iter() {
        match character.unicode_char() {
            // A hyphen that divides a word at the end of a line.
            Some('\u{2}' | '\u{fffe}') => text.push('-'),
            Some('\n') => text.push('\n'),
            Some('\t') => text.push('\t'),
            // Carriage returns, and form feeds that would look like the end of a page.
            Some(other) if other.is_control() || other == '\u{ffff}' => {}
            Some(other) => text.push(other),
            None => {}
        }
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    match text.len() {
        0..=PAGE_BYTES => Ok(text),
        _ => Err(Fault::too_large("A page holds more than 64 MB of text.")),
    }
}

/// Most text of one page.
const PAGE_BYTES: usize = 64 * 1024 * 1024;
