//! Checks documents converted from the structure of a PDF or of page images.

use domain::format::Format;
use domain::operation::{LayoutMode, Operation};
use task::page_selection::pages_to_convert;
use task::{Product, Task, TaskError, TaskResult, Verified};

use super::ocr_result::source_pages;
use super::texts::page_texts;
use super::{converted, fixed_layout, ocr_words};

/// Checks that the result is valid, of its format, has a slide (PPTX), an entry (JSON) or a form feed (text) for each
/// requested page of the source, and contains the recognized words. In fixed layout, each page has its words.
///
/// # Errors
/// [`TaskError::Document`] with `output_invalid` if the result fails a check.
pub fn structured(task: &Task, product: &Product) -> TaskResult<Verified> {
    let verified = match task.to {
        _ if is_fixed_layout(task) => fixed_layout_pages(task, product)?,
        Format::Txt => require_all_pages(task, page_texts(task)?)?,
        Format::Json | Format::Pptx => {
            require_all_pages(task, converted::converted(task, product)?.pages)?
        }
        _ => converted::converted(task, product)?,
    };
    ocr_words::check(task)?;
    Ok(verified)
}

fn fixed_layout_pages(task: &Task, product: &Product) -> TaskResult<Verified> {
    match task.to {
        Format::Txt => require_all_pages(task, page_texts(task)?)?,
        _ => converted::converted(task, product)?,
    };
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

/// Checks that there are as many pages as requested.
fn require_all_pages(task: &Task, found: u32) -> TaskResult<Verified> {
    let wanted = pages_to_convert(&task.operation, source_pages(task)?)?.len();
    match found as usize == wanted {
        true => Ok(Verified::complete(found)),
        false => Err(TaskError::output_invalid("pages are missing")),
    }
}
