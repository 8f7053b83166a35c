//! Checks documents that were made of the structure of a PDF or of pictures of pages.

use std::fs::File;
use std::io::BufReader;

use domain::format::Format;
use domain::operation::{Operation, TextPlacement};
use serde::Deserialize;
use serde::de::IgnoredAny;
use task::arrangement::chosen;
use task::{Fault, Outcome, Product, Task, Verified};

use super::recognised::source_pages;
use super::texts::page_texts;
use super::{office, placed, recognised_words};

/// The result is whole and of its format, has a slide or an entry for each page of the source that was wanted, and holds what
/// was recognised. Where everything keeps its place each page has its words.
pub fn structured(task: &Task, product: &Product) -> Outcome<Verified> {
    let verified = match task.to {
        _ if is_placed(task) => in_place(task, product)?,
        Format::Json => entries(task)?,
        Format::Txt => as_many(task, page_texts(task)?)?,
        Format::Pptx => as_many(task, office::office(task, product)?.pages)?,
        Format::Docx | Format::Xlsx => office::office(task, product)?,
        _ => {
            office::check_text(task)?;
            Verified { pages: 1 }
        }
    };
    recognised_words::check(task)?;
    Ok(verified)
}

fn in_place(task: &Task, product: &Product) -> Outcome<Verified> {
    match task.to {
        Format::Docx | Format::Pptx => office::office(task, product).map(|_| ()),
        Format::Txt => as_many(task, page_texts(task)?).map(|_| ()),
        _ => office::check_text(task),
    }?;
    match task.from {
        Format::Pdf => placed::placed(task, product),
        _ => as_many(task, placed::count(task)?),
    }
}

/// Whether everything is to keep its place.
pub(super) fn is_placed(task: &Task) -> bool {
    match &task.operation {
        Operation::Convert(options) => options.mode == Some(TextPlacement::Layout),
        _ => false,
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
    let wanted = chosen(&task.operation, source_pages(task)?)?.len();
    match found as usize == wanted {
        true => Ok(Verified { pages: found }),
        false => Err(Fault::output_invalid("pages are missing")),
    }
}
