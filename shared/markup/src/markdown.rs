//! Reads markdown by way of the web page that it stands for.

mod front;

use pulldown_cmark::{Options, Parser, html};

use crate::error::{MarkupError, Outcome};
use crate::limits::Budget;
use crate::source::Bound;
use crate::text;

/// The title that the YAML at the beginning of a Markdown text tells, if there is any, and the text behind that.
#[must_use]
pub fn without_front_matter(text: &str) -> (Option<String>, &str) {
    front::taken(text)
}

/// Reads a text.
pub(crate) fn open(bytes: Vec<u8>, budget: Budget) -> Outcome<Bound> {
    let text = text::decode(bytes, None)?;
    check(&text, &budget)?;
    let (title, text) = front::taken(&text);
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS;
    let mut page = String::new();
    html::push_html(&mut page, Parser::new_ext(text, options));
    if page.len() as u64 > budget.limits.text_bytes {
        return Err(MarkupError::TooLarge("it is far longer than its text"));
    }
    let mut bound = crate::html::read(&page, budget, true)?;
    bound.facts.title = title.or(bound.facts.title);
    Ok(bound)
}

/// Whatever may be markup is held at once while it is read, each sign and the text behind it apart.
fn check(text: &str, budget: &Budget) -> Outcome {
    let signs = text.bytes().filter(|byte| b"*_`~[]!<&\\|\n".contains(byte));
    match signs.count() > budget.limits.elements_at_once / 2 {
        true => Err(MarkupError::TooLarge("it has too many elements")),
        false => Ok(()),
    }
}
