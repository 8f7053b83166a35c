//! Checks plain text and CSV: what encoding, and what stands between the fields.

mod columns;
mod encoding;
mod fields;

use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use domain::format::Format;
use task::magic::Container;
use task::{Fault, Inspection, Outcome, Remark, Task, TextFacts};

use self::columns::Columns;
use self::encoding::{Coding, decode, detect};
use self::fields::{Counts, check_table, separator};

/// Bytes that the separator is told from.
const SAMPLE: usize = 64 * 1024;

/// Checks a source that claims to be text or CSV.
pub(super) fn check(task: &Task, found: Container) -> Outcome<Inspection> {
    if found != Container::Unknown {
        return Err(Fault::mismatch());
    }
    let encoding = detect(&task.source)?;
    // No browser reads it.
    if task.from == Format::Html && matches!(encoding, Coding::Wide(_)) {
        return Err(Fault::mismatch());
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
    // Noise, or a format that is not known here.
    if counts.controls * 100 > counts.characters {
        return Err(Fault::mismatch());
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
    let printed = separator.filter(|_| task.to == Format::Pdf);
    let cut = printed.filter(|separator| counts.may_be_cut(*separator));
    let texts = match separator {
        Some(separator) if task.to != Format::Pdf => texts(&task.source, encoding, separator)?,
        _ => Vec::new(),
    };
    Ok(Inspection {
        remarks: Vec::from_iter(cut.map(|_| Remark::TextMayBeCut)),
        text: Some(TextFacts {
            encoding: encoding.name().to_owned(),
            separator,
            columns,
            texts,
        }),
        ..Inspection::default()
    })
}

fn texts(source: &Path, encoding: Coding, separator: char) -> Outcome<Vec<u64>> {
    let mut columns = Columns::divided_by(separator);
    decode(source, encoding, |piece| {
        columns.add(piece);
        Ok(())
    })?;
    Ok(columns.texts())
}

/// Writes a text as UTF-8 without a byte order mark. Lines of text that is no table end with a line feed each.
pub fn write_utf8(source: &Path, facts: &TextFacts, target: &Path) -> Outcome<()> {
    append_utf8(source, facts, &mut File::create(target)?)
}

/// The same, behind what a file holds already.
pub fn append_utf8(source: &Path, facts: &TextFacts, file: &mut File) -> Outcome<()> {
    let encoding = Coding::named(&facts.encoding);
    let mut after_return = false;
    decode(source, encoding, |piece| match facts.separator {
        Some(_) => file.write_all(piece.as_bytes()),
        None => file.write_all(with_line_feeds(piece, &mut after_return).as_bytes()),
    })
}

/// Turns every end of line into a line feed: a carriage return alone would end none.
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
    fn every_end_of_line_becomes_one_line_feed() {
        let mut after_return = false;
        let pieces = ["a\r", "\nb\rc\n\nd\r\r\n"];
        let text: String = pieces
            .map(|piece| with_line_feeds(piece, &mut after_return))
            .concat();
        assert_eq!(text, "a\nb\nc\n\nd\n\n");
    }
}
