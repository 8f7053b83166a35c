//! Checks converted documents, packages with the reader that inspects sources.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};

use domain::format::Format;
use inspect::count_parts;
use task::{Product, Task, TaskError, TaskResult, Verified};

use super::{bundle, json_model};

/// Checks that the result is valid, of its format, and not empty. Its pages are those of JSON, sheets or slides; any other text
/// counts as one.
///
/// # Errors
/// [`TaskError::Document`] with `output_invalid` if the result fails a check.
pub fn converted(task: &Task, product: &Product) -> TaskResult<Verified> {
    bundle::bundle(task, product)?;
    let output = task.output();
    let pages = match task.to {
        Format::Json => Some(json_model::for_each_text(&output, &[], |_, _| {})?),
        Format::Rtf => check_rich_text(task).map(|()| Some(1))?,
        Format::Docx | Format::Odt | Format::Xlsx | Format::Ods | Format::Pptx | Format::Odp => {
            count_parts(&output, task.to)
        }
        _ => check_text(task).map(|()| Some(1))?,
    };
    match pages {
        None => Err(TaskError::output_invalid("it does not open")),
        Some(0) => Err(TaskError::output_invalid("it is empty")),
        Some(pages) => Ok(Verified::complete(pages)),
    }
}

pub(super) fn check_text(task: &Task) -> TaskResult<()> {
    let mut reader = BufReader::new(File::open(task.document())?);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line)? > 0 {
        let text = std::str::from_utf8(&line);
        text.map_err(|_| TaskError::output_invalid("it is not UTF-8"))?;
        line.clear();
    }
    Ok(())
}

/// Checks that the top-level group is opened and closed.
fn check_rich_text(task: &Task) -> TaskResult<()> {
    let mut file = BufReader::new(File::open(task.output())?);
    let (mut bytes, mut depth, mut escaped, mut closed) = ([0; 64 * 1024], 0_i64, false, false);
    let mut first = true;
    loop {
        let count = file.read(&mut bytes)?;
        let read = bytes.get(..count).unwrap_or_default();
        if read.is_empty() {
            break;
        }
        if std::mem::take(&mut first) && !read.starts_with(br"{\rtf1") {
            return Err(TaskError::output_invalid("it does not open"));
        }
        for byte in read {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'{' => depth += 1,
                b'}' => {
                    depth -= 1;
                    closed = depth == 0;
                }
                _ => {}
            }
        }
    }
    match closed && depth == 0 {
        true => Ok(()),
        false => Err(TaskError::output_invalid("it is truncated")),
    }
}
