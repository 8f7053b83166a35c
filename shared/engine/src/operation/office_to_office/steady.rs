//! Copies what LibreOffice made without what differs from run to run: dates of packages' parts, random numbers of sessions
//! and fields, and marks that say no more than that a text is UTF-8.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read as _, Write as _};
use std::path::Path;

use domain::format::Format;
use task::Outcome;

use crate::operation::office_document::rewrite;

/// What stands before a random number and behind it: numbers of the sessions in which a text was changed, and identifiers
/// of fields on slides.
const RANDOM: [(&str, char); 3] = [
    (r#"config:name="Rsid" config:type="int">"#, '<'),
    (r#"config:name="RsidRoot" config:type="int">"#, '<'),
    (r#"<a:fld id="{"#, '}'),
];
/// Says that a text is UTF-8, to programs that would not think so.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// Copies a result of a format.
pub(super) fn copy(made: &Path, format: Format, output: &Path) -> Outcome<()> {
    match format {
        Format::Csv | Format::Tsv => copy_text(made, output),
        Format::Rtf => Ok(std::fs::rename(made, output)?),
        _ => copy_package(made, output),
    }
}

fn copy_text(made: &Path, output: &Path) -> Outcome<()> {
    let mut made = BufReader::new(File::open(made)?);
    let mut output = BufWriter::new(File::create(output)?);
    let mut beginning = Vec::new();
    (&mut made)
        .take(MARK.len() as u64)
        .read_to_end(&mut beginning)?;
    if beginning != MARK {
        output.write_all(&beginning)?;
    }
    std::io::copy(&mut made, &mut output)?;
    Ok(output.flush()?)
}

fn copy_package(made: &Path, output: &Path) -> Outcome<()> {
    let has_random =
        |part: &str| part == "settings.xml" || (part.starts_with("ppt/") && part.ends_with(".xml"));
    rewrite(made, output, has_random, without_random)
}

/// The same text with counted numbers for random ones; identifiers keep their form.
fn without_random(text: &str) -> String {
    let mut steady = String::with_capacity(text.len());
    let mut written = 0;
    for (count, (from, to)) in (1_u32..).zip(random(text)) {
        let Some(before) = text.get(written..from) else {
            continue;
        };
        steady.push_str(before);
        match text.get(to..).is_some_and(|behind| behind.starts_with('}')) {
            true => steady.push_str(&format!("00000000-0000-4000-8000-{count:012X}")),
            false => steady.push('0'),
        }
        written = to;
    }
    steady.push_str(text.get(written..).unwrap_or_default());
    steady
}

/// Where random numbers begin and end.
fn random(text: &str) -> Vec<(usize, usize)> {
    let marked = RANDOM.iter().flat_map(|(mark, end)| {
        let begins = text.match_indices(mark).map(|(at, _)| at + mark.len());
        begins.map_while(move |from| Some((from, from + text.get(from..)?.find(*end)?)))
    });
    let mut found: Vec<_> = marked.collect();
    found.sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_numbers_become_counted_ones() {
        let text = concat!(
            r#"<c config:name="RsidRoot" config:type="int">123</c>"#,
            r#"<a:fld id="{EBE77A2A-B8ED-4246-B935-79AF13000000}" type="d"/>"#,
            r#"<a:fld id="{X}"/><a:fld id="{open"#
        );
        let steady = concat!(
            r#"<c config:name="RsidRoot" config:type="int">0</c>"#,
            r#"<a:fld id="{00000000-0000-4000-8000-000000000002}" type="d"/>"#,
            r#"<a:fld id="{00000000-0000-4000-8000-000000000003}"/><a:fld id="{open"#
        );
        assert_eq!(without_random(text), steady);
    }
}
