//! Checks documents converted from the structure of a PDF or of page images.

use std::fs::File;
use std::io::BufReader;

use domain::format::Format;
use domain::operation::{LayoutMode, Operation};
use serde::Deserialize;
use serde::de::IgnoredAny;
use task::page_selection::pages_to_convert;
use task::{Product, Task, TaskError, TaskResult, Verified};

use super::ocr_result::source_pages;
use super::texts::page_texts;
use super::{bundle, fixed_layout, ocr_words, office};

/// Checks that the result is valid, of its format, has a slide (PPTX), an entry (JSON) or a form feed (text) for each
/// requested page of the source, and contains the recognized words. In fixed layout, each page has its words.
///
/// # Errors
/// [`TaskError::Document`] with `output_invalid` if the result fails a check.
pub fn structured(task: &Task, product: &Product) -> TaskResult<Verified> {
    bundle::bundle(task, product)?;
    let verified = match task.to {
        _ if is_fixed_layout(task) => fixed_layout_pages(task, product)?,
        Format::Json => json_entries(task)?,
        Format::Txt => require_all_pages(task, page_texts(task)?)?,
        Format::Pptx => require_all_pages(task, office::office(task, product)?.pages)?,
        Format::Docx | Format::Xlsx => office::office(task, product)?,
        _ => {
            office::check_text(task)?;
            Verified::complete(1)
        }
    };
    ocr_words::check(task)?;
    Ok(verified)
}

fn fixed_layout_pages(task: &Task, product: &Product) -> TaskResult<Verified> {
    match task.to {
        Format::Docx | Format::Pptx => office::office(task, product).map(|_| ()),
        Format::Txt => require_all_pages(task, page_texts(task)?).map(|_| ()),
        _ => office::check_text(task),
    }?;
    match task.from {
        Format::Pdf => fixed_layout::fixed_layout(task, product),
        _ => require_all_pages(task, fixed_layout::count_pages(task)?),
    }
}

/// Returns whether the conversion uses the fixed layout.
pub(super) fn is_fixed_layout(task: &Task) -> bool {
    match &task.operation {
        Operation::Convert(options) => options.mode == Some(LayoutMode::Layout),
        _ => false,
    }
}

/// The parts of the JSON model that are checked.
#[derive(Deserialize)]
struct Model {
    pages: Vec<IgnoredAny>,
}

fn json_entries(task: &Task) -> TaskResult<Verified> {
    let reader = BufReader::new(File::open(task.output())?);
    let model: Model = serde_json::from_reader(reader)
        .map_err(|_| TaskError::output_invalid("it does not open"))?;
    require_all_pages(task, u32::try_from(model.pages.len()).unwrap_or(u32::MAX))
}

/// Checks that there are as many pages as requested.
fn require_all_pages(task: &Task, found: u32) -> TaskResult<Verified> {
    let wanted = pages_to_convert(&task.operation, source_pages(task)?)?.len();
    match found as usize == wanted {
        true => Ok(Verified::complete(found)),
        false => Err(TaskError::output_invalid("pages are missing")),
    }
}
