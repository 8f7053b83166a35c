//! Checks fixed-layout documents, in which everything keeps its position.

mod images;
mod pages;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use pdf::content::MAX_CHARACTERS;
use pdf::pdfium;
use pdfium_render::prelude::{PdfPage, PdfPageTextChar, PdfPageTextRenderMode, PdfRect};
use task::options::{conversion, keeps_pictures};
use task::page_selection::pages_to_convert;
use task::{Product, Task, TaskError, TaskResult, Verified, Warning};

use super::texts::pages_of_result;

/// Minimum fraction of the words of a source page, or alternatively of its letters, that the page of the result must
/// contain: words along a curve, for example, are extracted letter by letter.
const MIN_WORDS: f32 = 0.95;
const MIN_LETTERS: f32 = 0.97;

/// Checks that the result has each requested page of the source with its visible words, and at least as many images, if
/// these are kept and no warning reports dropped content.
pub(super) fn fixed_layout(task: &Task, product: &Product) -> TaskResult<Verified> {
    let library = pdfium::load(task)?;
    let document = pdfium::open(&library, task)?;
    let count = u32::try_from(document.pages().len()).unwrap_or(0);
    let mut numbers = pages_to_convert(&task.operation, count)?.into_iter();
    let is_dropped_content = |warning: &Warning| matches!(warning, Warning::ContentDropped(_));
    let compares_images = keeps_pictures(conversion(&task.operation)?)
        && !product.warnings.iter().any(is_dropped_content);
    let mut pages = 0;
    pages::for_each_page(task, |found| {
        pages += 1;
        let number = numbers.next();
        let number = number.ok_or_else(|| TaskError::output_invalid("it has too many pages"))?;
        let index = i32::try_from(number).map_err(|_| TaskError::input_corrupt())? - 1;
        let page = document.pages().get(index).map_err(pdfium::load_error)?;
        let words = visible_text(&page)?;
        if !has_words(&found.text, &words) {
            return Err(TaskError::output_invalid("words are missing"));
        }
        let are_wanted = compares_images && !images::may_be_recognized(task, &words);
        match are_wanted && images::are_missing(&document, &page, found.images) {
            true => Err(TaskError::output_invalid("images are missing")),
            false => Ok(()),
        }
    })?;
    match pages == pages_of_result(task)? {
        true => Ok(Verified::complete(pages)),
        false => Err(TaskError::output_invalid("pages are missing")),
    }
}

/// Returns the number of pages of the result.
pub(super) fn count_pages(task: &Task) -> TaskResult<u32> {
    let mut pages = 0;
    pages::for_each_page(task, |_| {
        pages += 1;
        Ok(())
    })?;
    Ok(pages)
}

/// Returns the visible text of a page, up to the limit of characters.
fn visible_text(page: &PdfPage<'_>) -> TaskResult<String> {
    let text = page.text().map_err(pdfium::load_error)?;
    let bounds = page
        .boundaries()
        .bounding()
        .map_err(pdfium::load_error)?
        .bounds;
    let characters = text.chars();
    let visible = characters
        .iter()
        .take(MAX_CHARACTERS as usize)
        .filter(|character| is_visible(character, &bounds));
    Ok(visible
        .filter_map(|character| character.unicode_char())
        .collect())
}

/// Returns whether a letter or digit is visible on the page; other characters always count.
fn is_visible(character: &PdfPageTextChar<'_>, page: &PdfRect) -> bool {
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
    // Letters cut by the page edge may or may not be in the result.
    !is_hidden
        && character.origin().is_ok_and(is_on)
        && character
            .loose_bounds()
            .is_ok_and(|bounds| is_on(middle(bounds)))
}

/// Returns whether a text has enough of the words or letters of another.
fn has_words(found: &str, wanted: &str) -> bool {
    let present = {
        let (found, wanted) = (letters(found), letters(wanted));
        let present = wanted
            .iter()
            .map(|(letter, count)| found.get(letter).map_or(0, |found| *found.min(count)));
        is_enough(present.sum(), wanted.values().sum(), MIN_LETTERS)
    };
    present || {
        let alphanumeric: String = found.chars().filter(|c| c.is_alphanumeric()).collect();
        let words = wanted.split(|c: char| !c.is_alphanumeric());
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let present = words
            .iter()
            .filter(|word| alphanumeric.contains(**word))
            .count();
        is_enough(present, words.len(), MIN_WORDS)
    }
}

fn letters(text: &str) -> HashMap<char, usize> {
    let mut letters = HashMap::new();
    for letter in text.chars().filter(|c| c.is_alphanumeric()) {
        *letters.entry(letter).or_default() += 1;
    }
    letters
}

fn is_enough(present: usize, all: usize, share: f32) -> bool {
    #[expect(clippy::cast_precision_loss, reason = "a page has few words")]
    let (present, all) = (present as f32, all as f32);
    present >= all * share
}
