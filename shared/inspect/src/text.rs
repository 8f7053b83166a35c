//! Checks plain text and CSV: encoding, separator and size.

mod columns;
mod encoding;
mod fields;

use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use domain::format::Format;
use task::magic::Container;
use task::{Inspection, Task, TaskError, TaskResult, TextProperties};

use self::columns::Columns;
use self::encoding::{TextEncoding, decode, detect};
use self::fields::{Counts, check_table, separator};

/// Size of the sample for detecting the separator, in bytes.
const SAMPLE: usize = 64 * 1024;

/// Checks a source that is declared as text or CSV.
pub(super) fn check(task: &Task, found: Container) -> TaskResult<Inspection> {
    if found != Container::Unknown {
        return Err(TaskError::content_mismatch());
    }
    let encoding = detect(&task.source)?;
    // Browsers do not support UTF-32.
    if task.from == Format::Html && matches!(encoding, TextEncoding::Utf32(_)) {
        return Err(TaskError::content_mismatch());
    }
    let mut counts = Counts::default();
    let mut sample = String::new();
    decode(&task.source, encoding, |piece| {
        counts.add(piece);
        if sample.len() < SAMPLE {
            sample.push_str(piece);
        }
        Ok(())
    })?;
    if counts.characters == 0 {
        return Err(super::empty());
    }
    // Binary data, or an unknown format.
    if counts.controls * 100 > counts.characters {
        return Err(TaskError::content_mismatch());
    }
    let separator = match task.from {
        Format::Csv => Some(separator(&sample)),
        Format::Tsv => Some('\t'),
        _ => None,
    };
    let columns = separator.map_or(1, |separator| counts.columns(separator));
    if separator.is_some() {
        check_table(counts.lines + 1, columns)?;
    }
    let text_columns = match separator {
        Some(separator) if task.to != Format::Pdf => {
            text_columns(&task.source, encoding, separator)?
        }
        _ => Vec::new(),
    };
    Ok(Inspection {
        text: Some(TextProperties {
            encoding: encoding.name().to_owned(),
            separator,
            columns,
            text_columns,
        }),
        ..Inspection::default()
    })
}

fn text_columns(source: &Path, encoding: TextEncoding, separator: char) -> TaskResult<Vec<u64>> {
    let mut columns = Columns::separated_by(separator);
    decode(source, encoding, |piece| {
        columns.add(piece);
        Ok(())
    })?;
    Ok(columns.text_columns())
}

/// Writes a text as UTF-8 without a byte order mark. In text that is not a table, all line ends become line feeds.
///
/// # Errors
/// [`TaskError::Io`] if the source cannot be read or the target cannot be written.
pub fn write_utf8(source: &Path, properties: &TextProperties, target: &Path) -> TaskResult<()> {
    append_utf8(source, properties, &mut File::create(target)?)
}

/// As [`write_utf8`], appended to a file.
///
/// # Errors
/// As [`write_utf8`].
pub fn append_utf8(source: &Path, properties: &TextProperties, file: &mut File) -> TaskResult<()> {
    let encoding = TextEncoding::by_name(&properties.encoding);
    let mut after_return = false;
    decode(source, encoding, |piece| match properties.separator {
        Some(_) => file.write_all(piece.as_bytes()),
        None => file.write_all(with_line_feeds(piece, &mut after_return).as_bytes()),
    })
}

/// Converts all line ends to line feeds, because the office suite does not accept a carriage return alone.
fn with_line_feeds(piece: &str, after_return: &mut bool) -> String {
    let mut text = String::with_capacity(piece.len());
    for character in piece.chars() {
        match character {
            '\r' => text.push('\n'),
            '\n' if *after_return => {}
            other => text.push(other),
        }
        *after_return = character == '\r';
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_end_becomes_one_line_feed() {
        let mut after_return = false;
        let pieces = ["a\r", "\nb\rc\n\nd\r\r\n"];
        let text: String = pieces
            .map(|piece| with_line_feeds(piece, &mut after_return))
            .concat();
        assert_eq!(text, "a\nb\nc\n\nd\n\n");
    }
}
