//! Counts the comments of a document, which no reader keeps.

use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

use domain::format::Format;

use crate::biff;
use crate::comment_parts::of_part;
use crate::error::{MarkupError, Result};
use crate::limits::{Budget, Options};
use crate::reader;
use crate::xml;

/// Returns the number of comments of a document without reading the rest. Comments of PPT are not counted.
///
/// # Errors
/// As [`crate::read`].
pub fn comments(path: &Path, format: Format, options: &Options) -> Result<u32> {
    match format {
        Format::Docx => of_related_parts(path, options, None),
        Format::Xlsx => of_related_parts(path, options, Some("worksheet")),
        Format::Pptx => of_related_parts(path, options, Some("slide")),
        Format::Xlsb => biff::xlsb::comments(&mut reader::package(path, options)?),
        Format::Xls => biff::xls::comments(path, &Budget::new(options.limits)),
        Format::Doc => of_word(path),
        Format::Odt | Format::Ods | Format::Odp => {
            let content = reader::package(path, options)?.part("content.xml")?;
            let content = content.unwrap_or_default();
            let content = xml::decode(&content);
            let starts = ["<office:annotation ", "<office:annotation>"];
            Ok(sum(starts.map(|start| content.matches(start).count())))
        }
        Format::Rtf => {
            let bytes = reader::file_bytes(path, options.limits.text_bytes)?;
            let text = String::from_utf8_lossy(&bytes);
            Ok(sum([text.matches("\\*\\annotation").count()]))
        }
        _ => Ok(0),
    }
}

/// The comments of the main part of Office Open XML, or of its parts of a kind.
fn of_related_parts(path: &Path, options: &Options, kind: Option<&str>) -> Result<u32> {
    let mut package = reader::package(path, options)?;
    let main = package.main_part()?;
    let relations = package.relations(&main)?;
    let Some(kind) = kind else {
        return of_part(&mut package, &relations);
    };
    let parts = relations.of_kind(kind);
    let parts: Vec<String> = parts.map(|part| part.target.clone()).collect();
    parts.iter().try_fold(0_u32, |count, part| {
        let relations = package.relations(part)?;
        Ok(count.saturating_add(of_part(&mut package, &relations)?))
    })
}

/// The comments of Word 97 and later: the file information has the length of the table of their places [MS-DOC, 2.5.6].
fn of_word(path: &Path) -> Result<u32> {
    /// Offset of the length, and bytes of a comment in the table: its place and its properties.
    const LENGTH: u64 = 0xBE;
    const COMMENT: u32 = 4 + 30;
    let damaged = |error| MarkupError::reading(error, "its compound file cannot be read");
    let mut file = cfb::open(path).map_err(damaged)?;
    let mut stream = file.open_stream("/WordDocument").map_err(damaged)?;
    let mut number = [0; 4];
    stream.seek(SeekFrom::Start(LENGTH)).map_err(damaged)?;
    stream.read_exact(&mut number).map_err(damaged)?;
    Ok(u32::from_le_bytes(number).saturating_sub(4) / COMMENT)
}

fn sum(counts: impl IntoIterator<Item = usize>) -> u32 {
    let count: usize = counts.into_iter().sum();
    u32::try_from(count).unwrap_or(u32::MAX)
}
