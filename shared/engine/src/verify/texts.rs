//! Checks the text of a PDF.

use std::fs::File;
use std::io::{BufRead as _, BufReader};

use super::placed;
use super::structured::is_placed;
use crate::arrangement::chosen;
use crate::fault::{Fault, Outcome};
use crate::pdfium;
use crate::task::{Product, Task, Verified};

/// The text is valid UTF-8, ends with a line feed, and has a form feed between each two of its pages, told from
/// the source, opened anew. Where everything keeps its place each page has its words.
pub(crate) fn page_texts(task: &Task, _: &Product) -> Outcome<Verified> {
    let pages = pages_of_result(task)?;
    if is_placed(task) {
        placed::placed(task)?;
    }
    match form_feeds(task)? + 1 == pages as usize {
        true => Ok(Verified { pages }),
        false => Err(Fault::output_invalid("pages are missing")),
    }
}

/// How many form feeds a text has, which is valid UTF-8 and ends with a line feed.
pub(super) fn form_feeds(task: &Task) -> Outcome<usize> {
    let mut reader = BufReader::new(File::open(task.output())?);
    let (mut line, mut form_feeds, mut ended) = (Vec::new(), 0, false);
    while reader.read_until(b'\n', &mut line)? > 0 {
        let text = std::str::from_utf8(&line);
        let text = text.map_err(|_| Fault::output_invalid("it is not UTF-8"))?;
        form_feeds += text.matches('\u{c}').count();
        ended = text.ends_with('\n');
        line.clear();
    }
    match ended {
        true => Ok(form_feeds),
        false => Err(Fault::output_invalid("its end is missing")),
    }
}

/// How many pages of the source a conversion keeps.
pub(super) fn pages_of_result(task: &Task) -> Outcome<u32> {
    let pages = chosen(&task.operation, pages_of_source(task)?)?;
    Ok(u32::try_from(pages.len()).unwrap_or(0))
}

/// How many pages the source has.
pub(super) fn pages_of_source(task: &Task) -> Outcome<u32> {
    let library = pdfium::load(task)?;
    let document = pdfium::open(&library, task)?;
    Ok(u32::try_from(document.pages().len()).unwrap_or(0))
}
