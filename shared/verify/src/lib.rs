//! Verifies results before they are delivered, with different libraries than produced them.
//!
//! Depends on no module that produces results: no operation, encoder, document writer, OCR engine or browser.

// Has to be linked before every JPEG encoder; see the lib.rs of `pdf`.
extern crate pdf as _;

mod archivable;
mod blank;
mod bundle;
mod compared;
mod content;
mod converted;
mod decoded;
mod documents;
mod drawing;
mod field_tree;
mod filled;
mod fixed_layout;
mod image_to_image;
mod images;
mod info;
mod json_model;
mod markup_tokens;
mod metadata;
mod object_graph;
mod ocr_result;
mod ocr_words;
mod optimized;
mod overlaid;
mod pdf_a;
mod resampled;
mod sanitized;
mod similarity;
mod structured;
mod texts;

use pdf::pdfium;
use task::{Product, Task, TaskError, TaskResult, Verified};

pub use self::archivable::archivable;
pub use self::compared::compared;
pub use self::content::{content, count_words};
pub use self::converted::converted;
pub use self::documents::documents;
pub use self::drawing::image_to_pdf;
pub use self::filled::filled;
pub use self::image_to_image::image_to_image;
pub use self::images::{compressed, page_images, screenshot};
pub use self::info::{image_info, pdf_info};
pub use self::metadata::metadata;
pub use self::ocr_result::ocr_result;
pub use self::optimized::optimized;
pub use self::overlaid::overlaid;
pub use self::sanitized::sanitized;
pub use self::structured::structured;

/// Checks a PDF made by LibreOffice, a browser or lopdf: pdfium opens it, its page count is within the limit of the plan, and
/// the first and last page can be read.
///
/// # Errors
/// [`TaskError::Document`] with `output_invalid` if the result fails a check.
pub fn pdf(task: &Task, _: &Product) -> TaskResult<Verified> {
    let library = pdfium::load(task)?;
    let invalid = |reason: &str| TaskError::output_invalid(reason);
    let document = library
        .load_pdf_from_file(&task.output(), None)
        .map_err(|_| invalid("it does not open"))?;
    let pages = document.pages();
    let count = u32::try_from(pages.len()).unwrap_or(0);
    if count == 0 {
        return Err(invalid("it has no pages"));
    }
    if count > task.limits.pages {
        return Err(TaskError::too_many_pages());
    }
    // Rendering them would decode all pictures and find nothing more, because pdfium reports no faults of it.
    for page in [pages.first(), pages.last()] {
        page.map_err(|_| invalid("a page cannot be read"))?;
    }
    Ok(Verified::complete(count))
}
