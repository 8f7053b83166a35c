//! Documents in which everything keeps its place.

use std::fs::File;
use std::io::BufWriter;

use domain::format::Format;
use layout::write::{Facts, Pictures, Writer, placed};
use layout::{Placed, Sighting};
use task::progress::Teller;
use task::{Fault, Outcome, Product, Task};

use super::fault;
use super::guesses::Guesses;

/// What writes the format that is asked for.
pub(super) fn writer<'a>(
    task: &Task,
    facts: &Facts,
    pictures: &'a dyn Pictures,
) -> Outcome<Box<dyn Writer<Placed> + 'a>> {
    let output = BufWriter::new(File::create(task.output())?);
    let writer = match task.to {
        Format::Docx => placed::docx(output, facts, pictures),
        Format::Pptx => placed::pptx(output, facts, pictures),
        Format::Html => placed::html(output, facts, pictures),
        Format::Txt => placed::text(output),
        other => return Err(Fault::Installation(format!("nothing places {other}"))),
    };
    writer.map_err(fault)
}

/// Writes so many pages, tells how far it is, and what was lost of them.
pub(super) fn made(
    mut writer: Box<dyn Writer<Placed> + '_>,
    (pages, count): (impl Iterator<Item = Outcome<Sighting>>, usize),
    mut guesses: Guesses<'_>,
    mut teller: Teller,
) -> Outcome<Product> {
    for (index, seen) in pages.enumerate() {
        let Sighting { page, warnings } = seen?;
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
