//! Documents that say how they are built to documents of other kinds: read into the layout model without an office suite, and
//! written page by page.

mod losses;
mod pictures;

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::operation::{ConvertOptions, Operation};
use inspect::structured::{open, refused};
use inspect::write_utf8;
use layout::writers::{NoPictures, Pictures, WriteReport};
use pdf::lettering;
use task::options::{conversion, keeps_pictures};
use task::progress::Teller;
use task::{Fault, Inspection, Outcome, Product, Task, linked};

use self::losses::remarks;
use self::pictures::Packed;
use super::writing::{fault, writer};
use super::{Module, Run};

/// This module's row.
pub(crate) const MODULE: Module = Module {
    does: |operation, from| match operation {
        Operation::Convert(options) => options.reads(from),
        _ => false,
    },
    inspect: inspect::document,
    run: Run::Child(run),
    verify: verify::retold,
    fingerprint: |_, _| fingerprint(),
};

fn run(task: &Task, inspection: &Inspection) -> Outcome<Product> {
    lay_out(task, inspection)?;
    retell(task)
}

/// What a result is made by. Drawings may hold text, which is set in the fonts that the system has.
pub(super) fn fingerprint() -> String {
    let (drawings, letters) = (linked::OXIPNG, lettering::fingerprint());
    let (markup, layout) = (markup::VERSION, layout::VERSION);
    format!("markup {markup} layout {layout} {drawings} {letters}")
}

/// Writes what the source of a task says.
pub(super) fn retell(task: &Task) -> Outcome<Product> {
    let mut reader = open(task)?;
    let asked = conversion(&task.operation)?;
    let packed = Packed::new(reader.pictures(), &task.directory);
    let pictures: &dyn Pictures = match keeps_pictures(asked) {
        true => &packed,
        false => &NoPictures,
    };
    let mut writer = writer(task, asked, reader.facts(), pictures)?;
    let mut teller = Teller::begin(&task.scratch);
    for done in 1.. {
        let Some(page) = reader.next_page().map_err(refused)? else {
            break;
        };
        writer.page(page).map_err(fault)?;
        teller.tell(done, done + reader.left());
    }
    let written = writer.finish().map_err(fault)?;
    check(asked, &written)?;
    Ok(Product {
        remarks: remarks(&reader.warnings(), packed.missing(), written.cut),
        ..Product::default()
    })
}

/// Text in another encoding than UTF-8 is read as inspection found it to be; but HTML, which may say so itself.
fn lay_out(task: &Task, inspection: &Inspection) -> Outcome<()> {
    let text = inspection.text.as_ref();
    let text = text.filter(|text| text.encoding != "UTF-8" && task.from != Format::Html);
    text.map_or(Ok(()), |text| {
        write_utf8(&task.source, text, &task.mended())
    })
}

/// There is something to be seen, and of tables there is one.
fn check(asked: &ConvertOptions, written: &WriteReport) -> Outcome<()> {
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
