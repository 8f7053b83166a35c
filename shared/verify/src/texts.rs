//! Checks the text of a PDF.

use std::fs::File;
use std::io::{BufRead as _, BufReader};

use pdf::pdfium;
use task::arrangement::chosen;
use task::{Fault, Outcome, Task};

/// How many pages a text has, which is valid UTF-8 and ends with a line feed: form feeds stand between them.
pub(super) fn page_texts(task: &Task) -> Outcome<u32> {
    Ok(u32::try_from(form_feeds(task)? + 1).unwrap_or(u32::MAX))
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
