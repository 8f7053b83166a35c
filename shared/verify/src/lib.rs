//! Checks a result before it counts as one, with another library than it was made with.
//!
//! No module that makes results is named here: no operation, no encoder, no writer of documents, neither OCR nor a browser.

// Linked before every JPEG encoder: see its lib.rs.
extern crate pdf as _;

mod blank;
mod decoded;
mod documents;
mod facts;
mod images;
mod likeness;
mod metadata;
mod model;
mod office;
mod optimised;
mod overlaid;
mod placed;
mod recognised;
mod recognised_words;
mod redrawn;
mod retold;
mod scaled;
mod structured;
mod tags;
mod texts;

use pdf::pdfium;
use pdfium_render::prelude::PdfRenderConfig;
use task::{Fault, Outcome, Product, Task, Verified};

pub use self::documents::documents;
pub use self::facts::{image_facts, pdf_facts};
pub use self::images::{captured, compressed, page_images};
pub use self::metadata::metadata;
pub use self::office::office;
pub use self::optimised::optimised;
pub use self::overlaid::overlaid;
pub use self::recognised::recognised;
pub use self::redrawn::redrawn;
pub use self::retold::retold;
pub use self::structured::structured;

/// Side of the picture that a page is drawn into to see that it can be, in pixels.
const THUMBNAIL: i32 = 64;

/// A PDF made by LibreOffice, a browser or lopdf: pdfium opens it, finds pages within the plan's limit, and draws the first and
/// the last.
pub fn pdf(task: &Task, _: &Product) -> Outcome<Verified> {
    let library = pdfium::load(task)?;
    let invalid = |reason: &str| Fault::output_invalid(reason);
    let document = library
        .load_pdf_from_file(&task.output(), None)
        .map_err(|_| invalid("it does not open"))?;
    let pages = document.pages();
    let count = u32::try_from(pages.len()).unwrap_or(0);
    if count == 0 {
        return Err(invalid("it has no pages"));
    }
    if count > task.limits.pages {
        return Err(Fault::too_many_pages());
    }
    let config = PdfRenderConfig::new().set_fixed_size(THUMBNAIL, THUMBNAIL);
    for page in [pages.first(), pages.last()] {
        let drawn = page.and_then(|page| page.render_with_config(&config).map(|_| ()));
        drawn.map_err(|_| invalid("a page cannot be drawn"))?;
    }
    Ok(Verified { pages: count })
}
