//! Checks what was told about a document against what other libraries find in it.

use std::fs::File;

use domain::format::Format;
use pdf::qpdf;
use serde::de::DeserializeOwned;
use task::facts::{ImageFacts, PdfFacts};
use task::{Fault, Outcome, Product, Task, Verified};

/// What is told about a PDF is JSON of the right form, of the right document, with all of its pages.
pub fn pdf_facts(task: &Task, _: &Product) -> Outcome<Verified> {
    let facts: PdfFacts = read(task)?;
    check_pages(task, &facts)?;
    verified(task, facts.format, facts.pages)
}

/// What is told about an image is JSON of the right form, of the right document.
pub fn image_facts(task: &Task, _: &Product) -> Outcome<Verified> {
    let facts: ImageFacts = read(task)?;
    if facts.width == 0 || facts.height == 0 {
        return Err(Fault::output_invalid("it tells of no pixels"));
    }
    verified(task, facts.format, facts.pages)
}

fn read<T: DeserializeOwned>(task: &Task) -> Outcome<T> {
    let facts = serde_json::from_reader(File::open(task.output())?);
    facts.map_err(|_| Fault::output_invalid("it is not what it must be"))
}

fn verified(task: &Task, format: Format, pages: u32) -> Outcome<Verified> {
    match format == task.from {
        true => Ok(Verified { pages }),
        false => Err(Fault::output_invalid("it tells of another format")),
    }
}

fn check_pages(task: &Task, facts: &PdfFacts) -> Outcome<()> {
    let access = qpdf::access(&task.readable(), "")?;
    // Else only the library that told it can read it.
    let found = access.shape().map_or(facts.pages, |shape| shape.pages);
    match found == facts.pages && facts.page_sizes.len() == facts.pages as usize {
        true => Ok(()),
        false => Err(Fault::output_invalid("pages are missing")),
    }
}
