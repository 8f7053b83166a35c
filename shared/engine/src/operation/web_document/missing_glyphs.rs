//! Warns about characters of a web page that no font has.

use std::time::Instant;

use browser::Page;
use imaging::glyphs::DrawnCharacters;
use task::{TaskResult, Warning};

/// Returns the warning about the characters of the text of a page. The fonts of a page may have any characters.
pub(in super::super) fn warning(
    text: &str,
    page: &mut Page,
    until: Instant,
) -> TaskResult<Option<Warning>> {
    let mut drawn = DrawnCharacters::default();
    drawn.add(text, None);
    Ok(match drawn.warning() {
        Some(_) if page.has_own_fonts(until)? => None,
        warning => warning,
    })
}
