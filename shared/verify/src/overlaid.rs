//! Checks a PDF whose pages got a watermark or numbers.

use domain::operation::Operation;
use pdf::pdfium;
use pdfium_render::prelude::PdfDocument;
use task::arrangement::selected;
use task::{Fault, Outcome, Product, Task, Verified};
use unicode_bidi::BidiInfo;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use super::documents;

/// All pages are there, and pdfium reads the text that was written over the first and the last of those that got one.
pub fn overlaid(task: &Task, product: &Product) -> Outcome<Verified> {
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
        if !holds(&text_of(&document, *page)?, &expected) {
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

/// Whether a text is read among others. What is written from the right comes in whatever order, so that only its letters
/// are counted.
fn holds(found: &str, expected: &str) -> bool {
    let (found, expected) = (squeezed(found), squeezed(expected));
    match BidiInfo::new(&expected, None).has_rtl() {
        false => found.contains(&expected),
        true => {
            let count = |text: &str, letter: char| text.matches(letter).count();
            let mut letters = expected.chars();
            letters.all(|letter| count(&found, letter) >= count(&expected, letter))
        }
    }
}

/// Letters and digits only, since where a line has its gaps, and a letter its marks, is a matter of taste.
fn squeezed(text: &str) -> String {
    text.nfkd()
        .filter(|character| character.is_alphanumeric() && !is_combining_mark(*character))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_found_in_whatever_form_it_is_read() {
        for (found, expected) in [
            ("page 1 D R A F T", "DRAFT"),
            ("e\u{301}tude", "\u{e9}tude"),
            (
                "ABC 123 \u{633}\u{631}\u{64a}",
                "\u{633}\u{631}\u{64a} 123 ABC",
            ),
            ("\u{5d1}\u{5d0}", "\u{5d0}\u{5b8}\u{5d1}"),
        ] {
            assert!(holds(found, expected), "{expected}");
        }
        for (found, expected) in [
            ("page 1 DRFAT", "DRAFT"),
            ("\u{5d0}\u{5d1}", "\u{5d0}\u{5d1}\u{5d0}"),
            ("", "\u{5d0}"),
        ] {
            assert!(!holds(found, expected), "{expected}");
        }
    }
}
