//! Checks a result before it counts as one, with another library than it was made with.

mod blank;
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
pub(crate) mod recognised_words;
mod redrawn;
mod retold;
mod scaled;
mod structured;
mod tags;
mod texts;

use pdf::pdfium;
use pdfium_render::prelude::PdfRenderConfig;
use task::{Fault, Outcome, Product, Task, Verified};

pub(crate) use self::documents::documents;
pub(crate) use self::facts::facts;
pub(crate) use self::images::{captured, compressed, page_images};
pub(crate) use self::metadata::metadata;
pub(crate) use self::office::office;
pub(crate) use self::optimised::optimised;
pub(crate) use self::overlaid::overlaid;
pub(crate) use self::recognised::recognised;
pub(crate) use self::redrawn::redrawn;
pub(crate) use self::retold::retold;
pub(crate) use self::structured::structured;
use crate::inspect::too_many_pages;

/// Side of the picture that a page is drawn into to see that it can be, in pixels.
const THUMBNAIL: i32 = 64;

/// A PDF made by LibreOffice, a browser or lopdf: pdfium opens it, finds pages within the plan's limit, and draws the first and
/// the last.
pub(crate) fn pdf(task: &Task, _: &Product) -> Outcome<Verified> {
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
        return Err(too_many_pages());
    }
    let config = PdfRenderConfig::new().set_fixed_size(THUMBNAIL, THUMBNAIL);
    for page in [pages.first(), pages.last()] {
        let drawn = page.and_then(|page| page.render_with_config(&config).map(|_| ()));
        drawn.map_err(|_| invalid("a page cannot be drawn"))?;
    }
    Ok(Verified { pages: count })
}
