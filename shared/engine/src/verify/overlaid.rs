//! Checks a PDF whose pages got a watermark or numbers.

use domain::operation::Operation;
use pdfium_render::prelude::PdfDocument;
use unicode_normalization::UnicodeNormalization as _;

use super::documents;
use crate::arrangement::selected;
use crate::fault::{Fault, Outcome};
use crate::pdfium;
use crate::task::{Product, Task, Verified};

/// All pages are there, and pdfium reads the text that was written over the first and the last of those that got one.
pub(crate) fn overlaid(task: &Task, product: &Product) -> Outcome<Verified> {
    let verified = documents(task, product)?;
    let (ranges, text, first) = match &task.operation {
        Operation::Watermark(options) => {
            let Some(text) = &options.text else {
                return Ok(verified);
            };
            (&options.pages, Some(text.as_str()), 0)
        }
        Operation::PageNumbers(options) => {
            let first = options.start.map_or(1, |start| start.value());
            (&options.pages, None, first)
        }
        _ => return Ok(verified),
    };
    let library = pdfium::load(task)?;
    let document = library.load_pdf_from_file(&task.output(), None);
    let document = document.map_err(|_| Fault::output_invalid("it does not open"))?;
    let pages: Vec<(u32, u32)> = (first..)
        .zip(selected(ranges.as_ref(), verified.pages)?)
        .collect();
    for (number, page) in pages.first().into_iter().chain(pages.last()) {
        let expected = text.map_or_else(|| number.to_string(), str::to_owned);
        if !squeezed(&text_of(&document, *page)?).contains(&squeezed(&expected)) {
            return Err(Fault::output_invalid("a page has no mark"));
        }
    }
    Ok(verified)
}

fn text_of(document: &PdfDocument<'_>, page: u32) -> Outcome<String> {
    let unreadable = |_| Fault::output_invalid("a page cannot be read");
    let index = i32::try_from(page).unwrap_or(i32::MAX) - 1;
    let page = document.pages().get(index).map_err(unreadable)?;
    let text = page.text().map_err(unreadable)?;
    // All of it at once is only what lies within a page that is neither turned nor cropped.
    let characters = text.chars();
    Ok(characters
        .iter()
        .filter_map(|character| character.unicode_char())
        .collect())
}

/// Letters and digits only, since where a line has its gaps is a matter of taste.
fn squeezed(text: &str) -> String {
    text.nfkd()
        .filter(|character| character.is_alphanumeric())
        .collect()
}
