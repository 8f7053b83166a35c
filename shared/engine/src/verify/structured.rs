//! Checks documents that were made of the structure of a PDF.

use std::fs::File;
use std::io::BufReader;

use domain::format::Format;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::office;
use super::texts::pages_of_result;
use crate::fault::{Fault, Outcome};
use crate::task::{Product, Task, Verified};

/// The result is whole and of its format, and has a slide or an entry for each page of the source that was wanted.
pub(crate) fn structured(task: &Task, product: &Product) -> Outcome<Verified> {
    match task.to {
        Format::Json => entries(task),
        Format::Pptx => as_many(task, office::office(task, product)?.pages),
        Format::Docx | Format::Xlsx => office::office(task, product),
        _ => {
            office::check_text(task)?;
            Ok(Verified { pages: 1 })
        }
    }
}

/// The result as far as it is looked at.
#[derive(Deserialize)]
struct Model {
    pages: Vec<IgnoredAny>,
}

fn entries(task: &Task) -> Outcome<Verified> {
    let reader = BufReader::new(File::open(task.output())?);
    let model: Model =
        serde_json::from_reader(reader).map_err(|_| Fault::output_invalid("it does not open"))?;
    as_many(task, u32::try_from(model.pages.len()).unwrap_or(u32::MAX))
}

/// As many as pages of the source are wanted.
fn as_many(task: &Task, found: u32) -> Outcome<Verified> {
    match found == pages_of_result(task)? {
        true => Ok(Verified { pages: found }),
        false => Err(Fault::output_invalid("pages are missing")),
    }
}
