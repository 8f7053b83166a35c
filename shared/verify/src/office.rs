//! Checks office documents that LibreOffice wrote, with the readers that inspect sources.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};

use domain::format::Format;
use inspect::{count_parts, reads_as};
use task::{Fault, Outcome, Product, Task, Verified};

/// The result is whole and of its format, and holds something. Its pages are its sheets or slides; a text counts as one.
pub fn office(task: &Task, _: &Product) -> Outcome<Verified> {
    let output = task.output();
    match task.to {
        Format::Txt | Format::Csv | Format::Tsv => check_text(task)?,
        Format::Rtf => check_rich_text(task)?,
        _ if reads_as(&output, task.to) => {}
        _ => return Err(Fault::output_invalid("it does not open")),
    }
    match count_parts(&output, task.to)? {
        0 => Err(Fault::output_invalid("it is empty")),
        pages => Ok(Verified { pages }),
    }
}

pub(super) fn check_text(task: &Task) -> Outcome<()> {
    let mut reader = BufReader::new(File::open(task.output())?);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line)? > 0 {
        let text = std::str::from_utf8(&line);
        text.map_err(|_| Fault::output_invalid("it is not UTF-8"))?;
        line.clear();
    }
    Ok(())
}

/// The group that is the document is opened and closed.
fn check_rich_text(task: &Task) -> Outcome<()> {
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
            return Err(Fault::output_invalid("it does not open"));
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
        false => Err(Fault::output_invalid("its end is missing")),
    }
}
