//! Documents that say how they are built to documents of other kinds: read into the layout model without an office suite, and
//! written page by page.

mod losses;
mod pictures;

use std::fs::File;
use std::io::BufWriter;

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::operation::{ConvertOptions, Operation, TableNumber, is_read};
use layout::write::{self, Chosen, Facts, NoPictures, Pictures, Writer, Written};
use markup::Reader;

pub(crate) use self::losses::refused;
use self::losses::remarks;
use self::pictures::Packed;
use super::pdf_to_document::fault;
pub(crate) use super::pdf_to_document::{keeps_pictures, options};
use super::{Module, Run};
use crate::fault::{Fault, Outcome};
use crate::inspect::write_utf8;
use crate::installed::linked;
use crate::task::{Inspection, Product, Task};
use crate::verify;

/// This module's row.
pub(crate) const MODULE: Module = Module {
    does: |operation, from| match operation {
        Operation::Convert(options) => is_read(from, options.format),
        _ => false,
    },
    run: Run::Child(run),
    verify: verify::retold,
    fingerprint: |_, _| {
        let (markup, layout, png) = (markup::VERSION, layout::VERSION, linked::OXIPNG);
        format!("markup {markup} layout {layout} {png}")
    },
};

fn run(task: &Task, inspection: &Inspection) -> Outcome<Product> {
    let asked = options(&task.operation)?;
    lay_out(task, inspection)?;
    let mut reader = open(task)?;
    let packed = Packed::new(reader.pictures(), &task.directory);
    let pictures: &dyn Pictures = match keeps_pictures(asked) {
        true => &packed,
        false => &NoPictures,
    };
    let mut writer = writer(task, asked, &reader, pictures)?;
    while let Some(page) = reader.next_page().map_err(refused)? {
        writer.page(page).map_err(fault)?;
    }
    let written = writer.finish().map_err(fault)?;
    check(asked, &written)?;
    Ok(Product {
        remarks: remarks(&reader.warnings(), packed.missing(), written.cut),
        ..Product::default()
    })
}

/// Opens what is to be read, as the verifier does once more.
pub(crate) fn open(task: &Task) -> Outcome<Reader> {
    let asked = options(&task.operation)?;
    let options = markup::Options {
        speaker_notes: asked.notes.unwrap_or_default(),
        ..markup::Options::default()
    };
    let opened = Reader::open(&task.readable(), task.from, &options);
    opened.map_err(refused)
}

/// Text in another encoding than UTF-8 is read as inspection found it to be; but HTML, which may say so itself.
fn lay_out(task: &Task, inspection: &Inspection) -> Outcome<()> {
    let text = inspection.text.as_ref();
    let text = text.filter(|text| text.encoding != "UTF-8" && task.from != Format::Html);
    text.map_or(Ok(()), |text| {
        write_utf8(&task.source, text, &task.mended())
    })
}

fn writer<'a>(
    task: &Task,
    asked: &ConvertOptions,
    reader: &Reader,
    pictures: &'a dyn Pictures,
) -> Outcome<Box<dyn Writer + 'a>> {
    let output = BufWriter::new(File::create(task.output())?);
    let markup::Facts { title, language } = reader.facts().clone();
    let facts = &Facts { title, language };
    let table = asked.table.map(TableNumber::value);
    let writer = match task.to {
        Format::Docx => write::docx(output, facts, pictures, &task.directory),
        Format::Xlsx => write::xlsx(output, facts),
        Format::Html => write::html(output, facts, pictures),
        Format::Markdown => write::markdown(output, facts),
        Format::Json => write::json(output, facts, pictures),
        Format::Csv => write::csv(output, table.map_or(Chosen::All, Chosen::Only)),
        Format::Txt => write::text(output),
        other => return Err(Fault::Installation(format!("nothing writes {other}"))),
    };
    writer.map_err(fault)
}

/// There is something to be seen, and of tables there is one.
fn check(asked: &ConvertOptions, written: &Written) -> Outcome<()> {
    if written.pages == 0 {
        let message = "The document shows nothing.";
        return Err(Fault::document(JobErrorCode::InputEmpty, message));
    }
    if written.tables > 0 || !matches!(asked.format, Format::Xlsx | Format::Csv) {
        return Ok(());
    }
    let message = match asked.table {
        Some(table) => format!("The document has no table {}.", table.value()),
        None => "The document has no table.".to_owned(),
    };
    Err(Fault::document(JobErrorCode::OutputInvalid, &message))
}
