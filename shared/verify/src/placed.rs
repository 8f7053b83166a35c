//! Checks documents in which everything keeps its place.

mod pictures;
mod result;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use pdf::content::CHARACTERS;
use pdf::pdfium;
use pdfium_render::prelude::{PdfPage, PdfPageTextChar, PdfPageTextRenderMode, PdfRect};
use task::arrangement::chosen;
use task::options::{conversion, keeps_pictures};
use task::{Fault, Outcome, Product, Remark, Task, Verified};

use super::texts::pages_of_result;

/// How much of the words of a page has to be found on it, and where words are taken apart, as those along a curve are, how much
/// of its letters.
const WORDS: f32 = 0.95;
const LETTERS: f32 = 0.97;

/// The result has a page for each page of the source that was wanted, and on it the words that are seen there, and as many
/// pictures where they are wanted and nothing was told to be left out.
pub(super) fn placed(task: &Task, product: &Product) -> Outcome<Verified> {
    let library = pdfium::load(task)?;
    let document = pdfium::open(&library, task)?;
    let count = u32::try_from(document.pages().len()).unwrap_or(0);
    let mut numbers = chosen(&task.operation, count)?.into_iter();
    let is_cut = |remark: &Remark| matches!(remark, Remark::ContentDropped(_));
    let counts =
        keeps_pictures(conversion(&task.operation)?) && !product.remarks.iter().any(is_cut);
    let mut pages = 0;
    result::each_page(task, |shown| {
        pages += 1;
        let number = numbers.next();
        let number = number.ok_or_else(|| Fault::output_invalid("it has too many pages"))?;
        let index = i32::try_from(number).map_err(|_| Fault::corrupt())? - 1;
        let page = document.pages().get(index).map_err(pdfium::fault)?;
        let words = seen(&page)?;
        if !has_words(&shown.text, &words) {
            return Err(Fault::output_invalid("words are missing"));
        }
        let are_wanted = counts && !pictures::may_be_read(task, &words);
        match are_wanted && pictures::are_missing(&document, &page, shown.pictures) {
            true => Err(Fault::output_invalid("pictures are missing")),
            false => Ok(()),
        }
    })?;
    match pages == pages_of_result(task)? {
        true => Ok(Verified { pages }),
        false => Err(Fault::output_invalid("pages are missing")),
    }
}

/// How many pages the result has.
pub(super) fn count(task: &Task) -> Outcome<u32> {
    let mut pages = 0;
    result::each_page(task, |_| {
        pages += 1;
        Ok(())
    })?;
    Ok(pages)
}

/// The text that is seen on a page, as far as it is read.
fn seen(page: &PdfPage<'_>) -> Outcome<String> {
    let text = page.text().map_err(pdfium::fault)?;
    let bounds = page.boundaries().bounding().map_err(pdfium::fault)?.bounds;
    let characters = text.chars();
    let seen = characters
        .iter()
        .take(CHARACTERS as usize)
        .filter(|character| is_seen(character, &bounds));
    Ok(seen
        .filter_map(|character| character.unicode_char())
        .collect())
}

/// Whether a character that says something is drawn on the page; those that only part words count.
fn is_seen(character: &PdfPageTextChar<'_>, page: &PdfRect) -> bool {
    if !character.unicode_char().is_some_and(char::is_alphanumeric) {
        return true;
    }
    let is_hidden = matches!(
        character.render_mode(),
        Ok(PdfPageTextRenderMode::Invisible | PdfPageTextRenderMode::InvisibleClipping)
    );
    let is_on = |(x, y)| page.contains(x, y);
    let middle = |bounds: PdfRect| {
        let (left, right) = (bounds.left(), bounds.right());
        let (bottom, top) = (bounds.bottom(), bounds.top());
        ((left + right) / 2.0, (bottom + top) / 2.0)
    };
    // Letters that the page's edge cuts may be in the result or not.
    !is_hidden
        && character.origin().is_ok_and(is_on)
        && character
            .loose_bounds()
            .is_ok_and(|bounds| is_on(middle(bounds)))
}

/// Whether a text has enough of the words of another, or of its letters.
fn has_words(found: &str, wanted: &str) -> bool {
    let there = {
        let (found, wanted) = (letters(found), letters(wanted));
        let there = wanted
            .iter()
            .map(|(letter, count)| found.get(letter).map_or(0, |found| *found.min(count)));
        is_enough(there.sum(), wanted.values().sum(), LETTERS)
    };
    there || {
        let squeezed: String = found.chars().filter(|c| c.is_alphanumeric()).collect();
        let words = wanted.split(|c: char| !c.is_alphanumeric());
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let there = words
            .iter()
            .filter(|word| squeezed.contains(**word))
            .count();
        is_enough(there, words.len(), WORDS)
    }
}

fn letters(text: &str) -> HashMap<char, usize> {
    let mut letters = HashMap::new();
    for letter in text.chars().filter(|c| c.is_alphanumeric()) {
        *letters.entry(letter).or_default() += 1;
    }
    letters
}

fn is_enough(there: usize, all: usize, share: f32) -> bool {
    #[expect(clippy::cast_precision_loss, reason = "a page has few words")]
    let (there, all) = (there as f32, all as f32);
    there >= all * share
}
