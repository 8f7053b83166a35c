//! Copies LibreOffice's output without what differs between runs (timestamps of package parts, random session and field
//! identifiers), without macros and byte order marks, and with relative links.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read as _, Write as _};
use std::path::Path;

use domain::format::Format;
use task::{Task, TaskResult};

use super::macros;
use crate::operation::office_document::{LocalLinks, rewrite};

/// Text before and character after a random number: revision session identifiers (RSID), and identifiers of fields on
/// slides.
const RANDOM: [(&str, char); 3] = [
    (r#"config:name="Rsid" config:type="int">"#, '<'),
    (r#"config:name="RsidRoot" config:type="int">"#, '<'),
    (r#"<a:fld id="{"#, '}'),
];
/// Byte order mark, redundant in UTF-8.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Copies the document that LibreOffice saved for a task to its output.
pub(super) fn copy(saved: &Path, task: &Task) -> TaskResult<()> {
    let output = &task.output();
    match task.to {
        Format::Csv | Format::Tsv => copy_text(saved, output),
        Format::Rtf => copy_rich_text(saved, &LocalLinks::of(&task.directory, ""), output),
        // A link in OpenDocument is relative to the package as a directory.
        Format::Odt | Format::Ods | Format::Odp => {
            copy_package(saved, &LocalLinks::of(&task.directory, "../"), output)
        }
        _ => copy_package(saved, &LocalLinks::of(&task.directory, ""), output),
    }
}

fn copy_text(saved: &Path, output: &Path) -> TaskResult<()> {
    let mut saved = BufReader::new(File::open(saved)?);
    let mut output = BufWriter::new(File::create(output)?);
    let mut beginning = Vec::new();
    (&mut saved)
        .take(BYTE_ORDER_MARK.len() as u64)
        .read_to_end(&mut beginning)?;
    if beginning != BYTE_ORDER_MARK {
        output.write_all(&beginning)?;
    }
    std::io::copy(&mut saved, &mut output)?;
    Ok(output.flush()?)
}

/// Copies RTF, which LibreOffice writes in ASCII.
fn copy_rich_text(saved: &Path, links: &LocalLinks, output: &Path) -> TaskResult<()> {
    let changed = std::fs::read_to_string(saved).ok().and_then(|text| {
        let changed = links.are_in(&text).then(|| links.replaced(&text));
        macros::removed(changed.as_deref().unwrap_or(&text)).or(changed)
    });
    match changed {
        Some(text) => Ok(std::fs::write(output, text)?),
        None => Ok(std::fs::rename(saved, output)?),
    }
}

/// Copies a package.
pub(super) fn copy_package(saved: &Path, links: &LocalLinks, output: &Path) -> TaskResult<()> {
    let has_random =
        |part: &str| part == "settings.xml" || (part.starts_with("ppt/") && part.ends_with(".xml"));
    let is_kept = |part: &str| !macros::is_macro(part);
    rewrite(saved, output, is_kept, |part, text| {
        let mut changed = has_random(part).then(|| without_random(text));
        if links.are_in(text) {
            changed = Some(links.replaced(changed.as_deref().unwrap_or(text)));
        }
        macros::removed(changed.as_deref().unwrap_or(text)).or(changed)
    })
}

/// Replaces random numbers by sequential ones; UUIDs keep their form.
fn without_random(text: &str) -> String {
    let mut replaced = String::with_capacity(text.len());
    let mut written = 0;
    for (count, (from, to)) in (1_u32..).zip(random(text)) {
        let Some(before) = text.get(written..from) else {
            continue;
        };
        replaced.push_str(before);
        match text.get(to..).is_some_and(|behind| behind.starts_with('}')) {
            true => replaced.push_str(&format!("00000000-0000-4000-8000-{count:012X}")),
            false => replaced.push('0'),
        }
        written = to;
    }
    replaced.push_str(text.get(written..).unwrap_or_default());
    replaced
}

/// Returns the byte ranges of the random numbers, in order.
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
    fn random_numbers_become_sequential() {
        let text = concat!(
            r#"<c config:name="RsidRoot" config:type="int">123</c>"#,
            r#"<a:fld id="{EBE77A2A-B8ED-4246-B935-79AF13000000}" type="d"/>"#,
            r#"<a:fld id="{X}"/><a:fld id="{open"#
        );
        let replaced = concat!(
            r#"<c config:name="RsidRoot" config:type="int">0</c>"#,
            r#"<a:fld id="{00000000-0000-4000-8000-000000000002}" type="d"/>"#,
            r#"<a:fld id="{00000000-0000-4000-8000-000000000003}"/><a:fld id="{open"#
        );
        assert_eq!(without_random(text), replaced);
    }
}
