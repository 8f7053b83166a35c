//! Text by what the pages of a PDF are found to be: in reading order, or everything in its place.

use std::fs::File;
use std::io::BufWriter;

use layout::write::{self, Facts, NoPictures};
use layout::{Options, Reading};

use crate::arrangement::chosen;
use crate::fault::Outcome;
use crate::layout::{Source, Surveyed, sightings};
use crate::operation::pdf_to_document::guesses::Guesses;
use crate::operation::pdf_to_document::{fault, has_sound_tags, placed, readable};
use crate::progress::Teller;
use crate::task::{Inspection, Product, Task};

/// Columns one after the other, paragraphs as one line each, and tabs between the cells of tables.
pub(super) fn flowing(task: &Task, inspection: &Inspection) -> Outcome<Product> {
    let numbers = chosen(&task.operation, inspection.pages.unwrap_or(0))?;
    let file = readable(task, inspection)?;
    let options = Options {
        tags: has_sound_tags(&file, inspection),
        ..Options::default()
    };
    let surveyed = Surveyed::of(source(task, &file, &numbers))?;
    let output = BufWriter::new(File::create(task.output())?);
    let mut writer = write::text(output).map_err(fault)?;
    let mut guesses = Guesses::default();
    let mut teller = Teller::begin(&task.scratch);
    for (index, read) in surveyed.pages(options, None)?.enumerate() {
        let Reading { page, warnings, .. } = read?;
        guesses.note(&page, &warnings);
        writer.page(page).map_err(fault)?;
        teller.tell(index + 1, numbers.len());
    }
    let written = writer.finish().map_err(fault)?;
    Ok(Product {
        pages: Some(written.pages),
        remarks: guesses.remarks(&written),
        ..Product::default()
    })
}

/// What stands beside each other stays so, by spaces.
pub(super) fn placed(task: &Task, inspection: &Inspection) -> Outcome<Product> {
    let numbers = chosen(&task.operation, inspection.pages.unwrap_or(0))?;
    let file = readable(task, inspection)?;
    let pages = sightings(source(task, &file, &numbers), None)?;
    let writer = placed::writer(task, &Facts::default(), &NoPictures)?;
    let teller = Teller::begin(&task.scratch);
    placed::made(writer, (pages, numbers.len()), Guesses::default(), teller)
}

fn source<'a>(task: &'a Task, file: &'a std::path::Path, pages: &'a [u32]) -> Source<'a> {
    Source {
        library: task.pdfium.as_deref().unwrap_or("".as_ref()),
        file,
        password: None,
        pages: Some(pages),
        recognised: None,
    }
}
