//! Checks plain text results, and counts pages.

use std::fs::File;
use std::io::{BufRead as _, BufReader};

use pdf::pdfium;
use task::page_selection::pages_to_convert;
use task::{Task, TaskError, TaskResult};

/// Returns the number of pages of a text, which are separated by form feeds. It must be UTF-8 and end with a line feed.
pub(super) fn page_texts(task: &Task) -> TaskResult<u32> {
    Ok(u32::try_from(form_feeds(task)? + 1).unwrap_or(u32::MAX))
}

/// Returns the number of form feeds of a text, which must be UTF-8 and end with a line feed.
pub(super) fn form_feeds(task: &Task) -> TaskResult<usize> {
    let mut reader = BufReader::new(File::open(task.output())?);
    let (mut line, mut form_feeds, mut ended) = (Vec::new(), 0, false);
    while reader.read_until(b'\n', &mut line)? > 0 {
        let text = std::str::from_utf8(&line);
        let text = text.map_err(|_| TaskError::output_invalid("it is not UTF-8"))?;
        form_feeds += text.matches('\u{c}').count();
        ended = text.ends_with('\n');
        line.clear();
    }
    match ended {
        true => Ok(form_feeds),
        false => Err(TaskError::output_invalid("it is truncated")),
    }
}

/// Returns the number of pages that a conversion keeps.
pub(super) fn pages_of_result(task: &Task) -> TaskResult<u32> {
    let pages = pages_to_convert(&task.operation, pages_of_source(task)?)?;
    Ok(u32::try_from(pages.len()).unwrap_or(0))
}

/// Returns the number of pages of the source.
pub(super) fn pages_of_source(task: &Task) -> TaskResult<u32> {
    let library = pdfium::load(task)?;
    let document = pdfium::open(&library, task)?;
    Ok(u32::try_from(document.pages().len()).unwrap_or(0))
}
