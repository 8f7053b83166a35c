//! Checks what was told about a document against what other libraries find in it.

use std::fs::File;

use domain::format::Category;
use pdf::qpdf;
use task::{Fault, Outcome, Product, Task, Verified};

use crate::operation::info::{ImageFacts, PdfFacts};

/// It is JSON of the right form, of the right document, with all of its pages.
pub(crate) fn facts(task: &Task, _: &Product) -> Outcome<Verified> {
    let invalid = |_| Fault::output_invalid("it is not what it must be");
    let file = File::open(task.output())?;
    let (format, pages) = match task.from.facts().category {
        Category::Pdf => {
            let facts: PdfFacts = serde_json::from_reader(file).map_err(invalid)?;
            check_pages(task, &facts)?;
            (facts.format, facts.pages)
        }
        _ => {
            let facts: ImageFacts = serde_json::from_reader(file).map_err(invalid)?;
            if facts.width == 0 || facts.height == 0 {
                return Err(Fault::output_invalid("it tells of no pixels"));
            }
            (facts.format, facts.pages)
        }
    };
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
