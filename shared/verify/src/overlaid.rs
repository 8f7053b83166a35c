//! Checks PDFs with a watermark or page numbers.

use domain::operation::Operation;
use pdf::pdfium;
use pdfium_render::prelude::PdfDocument;
use task::page_selection::selected_pages;
use task::{Product, Task, TaskError, TaskResult, Verified};
use unicode_bidi::BidiInfo;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use super::documents;

/// Checks that all pages exist, and that pdfium finds the added text on the first and last page that should have it.
///
/// # Errors
/// [`TaskError::Document`] with `output_invalid` if the result fails a check.
pub fn overlaid(task: &Task, product: &Product) -> TaskResult<Verified> {
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
    let document = document.map_err(|_| TaskError::output_invalid("it does not open"))?;
    let pages: Vec<(u32, u32)> = (first..)
        .zip(selected_pages(ranges.as_ref(), verified.pages)?)
        .collect();
    for (number, page) in pages.first().into_iter().chain(pages.last()) {
        let expected = text.map_or_else(|| number.to_string(), str::to_owned);
        if !contains_text(&text_of(&document, *page)?, &expected) {
            return Err(TaskError::output_invalid(
                "a page lacks its watermark or page number",
            ));
        }
    }
    Ok(verified)
}

fn text_of(document: &PdfDocument<'_>, page: u32) -> TaskResult<String> {
    let unreadable = |_| TaskError::output_invalid("a page cannot be read");
    let index = i32::try_from(page).unwrap_or(i32::MAX) - 1;
    let page = document.pages().get(index).map_err(unreadable)?;
    pdfium::characters(&page).map_err(unreadable)
}

/// Returns whether a text contains another. Right-to-left text is extracted in unreliable order, so only its letters are
/// counted.
fn contains_text(found: &str, expected: &str) -> bool {
    let (found, expected) = (normalized(found), normalized(expected));
    match BidiInfo::new(&expected, None).has_rtl() {
        false => found.contains(&expected),
        true => {
            let count = |text: &str, letter: char| text.matches(letter).count();
            let mut letters = expected.chars();
            letters.all(|letter| count(&found, letter) >= count(&expected, letter))
        }
    }
}

/// Returns only letters and digits, since extraction varies in spaces and combining marks.
fn normalized(text: &str) -> String {
    text.nfkd()
        .filter(|character| character.is_alphanumeric() && !is_combining_mark(*character))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_compared_regardless_of_their_form() {
        for (found, expected) in [
            ("page 1 D R A F T", "DRAFT"),
            ("e\u{301}tude", "\u{e9}tude"),
            (
                "ABC 123 \u{633}\u{631}\u{64a}",
                "\u{633}\u{631}\u{64a} 123 ABC",
            ),
            ("\u{5d1}\u{5d0}", "\u{5d0}\u{5b8}\u{5d1}"),
        ] {
            assert!(contains_text(found, expected), "{expected}");
        }
        for (found, expected) in [
            ("page 1 DRFAT", "DRAFT"),
            ("\u{5d0}\u{5d1}", "\u{5d0}\u{5d1}\u{5d0}"),
            ("", "\u{5d0}"),
        ] {
            assert!(!contains_text(found, expected), "{expected}");
        }
    }
}
