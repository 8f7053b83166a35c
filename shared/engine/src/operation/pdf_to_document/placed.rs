//! Documents in which everything keeps its place.

use std::fs::File;
use std::io::BufWriter;

use domain::format::Format;
use layout::FixedPage;
use layout::analysis::FixedReading;
use layout::writers::{Metadata, Pictures, Writer, fixed};
use task::progress::Teller;
use task::{Fault, Outcome, Product, Task};

use super::fault;
use super::guesses::Guesses;

/// What writes the format that is asked for.
pub(super) fn writer<'a>(
    task: &Task,
    facts: &Metadata,
    pictures: &'a dyn Pictures,
) -> Outcome<Box<dyn Writer<FixedPage> + 'a>> {
    let output = BufWriter::new(File::create(task.output())?);
    let writer = match task.to {
        Format::Docx => fixed::docx(output, facts, pictures),
        Format::Pptx => fixed::pptx(output, facts, pictures),
        Format::Html => fixed::html(output, facts, pictures),
        Format::Txt => fixed::text(output),
        other => return Err(Fault::Installation(format!("nothing places {other}"))),
    };
    writer.map_err(fault)
}

/// Writes so many pages, tells how far it is, and what was lost of them.
pub(super) fn made(
    mut writer: Box<dyn Writer<FixedPage> + '_>,
    (pages, count): (impl Iterator<Item = Outcome<FixedReading>>, usize),
    mut guesses: Guesses<'_>,
    mut teller: Teller,
) -> Outcome<Product> {
    for (index, seen) in pages.enumerate() {
        let FixedReading { page, warnings } = seen?;
        guesses.note_warnings(page.number, &warnings);
        writer.page(page).map_err(fault)?;
        teller.tell(index + 1, count);
    }
    let written = writer.finish().map_err(fault)?;
    Ok(Product {
        pages: Some(written.pages),
        remarks: guesses.remarks(&written),
        ..Product::default()
    })
}
