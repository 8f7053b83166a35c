//! Reads Markdown by rendering it to HTML.

mod front_matter;
mod heading_ids;

use pulldown_cmark::{Options, Parser, html};

use self::heading_ids::HeadingIds;
use crate::error::{MarkupError, Result};
use crate::limits::Budget;
use crate::source::LoadedDocument;
use crate::text;

/// Splits a text into the title of its YAML front matter, if it has one, and the text after the front matter.
#[must_use]
pub fn without_front_matter(text: &str) -> (Option<String>, &str) {
    front_matter::split(text)
}

/// Renders CommonMark with GitHub's tables, task lists, footnotes, strikethrough and links to headings. Embedded HTML is kept.
#[must_use]
pub fn to_html(text: &str) -> String {
    let mut page = String::new();
    html::push_html(&mut page, HeadingIds::new(markdown_events(text)).events());
    page
}

/// Parses a text without front matter.
pub fn markdown_events(text: &str) -> Parser<'_> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS;
    Parser::new_ext(text, options)
}

/// Reads a document.
pub(crate) fn open(bytes: Vec<u8>, budget: Budget) -> Result<LoadedDocument> {
    let text = text::decode(bytes, None)?;
    check(&text, &budget)?;
    let (title, text) = front_matter::split(&text);
    let page = to_html(text);
    if page.len() as u64 > budget.limits.text_bytes {
        return Err(MarkupError::TooLarge(
            "the HTML generated from the Markdown exceeds the size limit",
        ));
    }
    let mut bound = crate::html::read(&page, budget, true)?;
    bound.metadata.title = title.or(bound.metadata.title);
    Ok(bound)
}

/// Limits the number of markup characters: the parser keeps a node in memory for each.
fn check(text: &str, budget: &Budget) -> Result {
    let signs = text.bytes().filter(|byte| b"*_`~[]!<&\\|\n".contains(byte));
    match signs.count() > budget.limits.elements_at_once / 2 {
        true => Err(MarkupError::TooLarge("it has too many elements")),
        false => Ok(()),
    }
}
