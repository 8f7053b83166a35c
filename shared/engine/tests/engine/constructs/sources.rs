//! The sources: a document of each format with every construct, and its marked words.

use std::collections::BTreeSet;
use std::fs;
use std::io::{Cursor, Read as _};
use std::path::{Path, PathBuf};

use domain::format::Format;

use super::xlsb;
use crate::harness;
use crate::office_content::content;
use crate::sample_documents::package;

const SOURCES: [Format; 17] = [
    Format::Docx,
    Format::Doc,
    Format::Odt,
    Format::Rtf,
    Format::Txt,
    Format::Xlsx,
    Format::Xls,
    Format::Xlsb,
    Format::Ods,
    Format::Csv,
    Format::Tsv,
    Format::Pptx,
    Format::Ppt,
    Format::Odp,
    Format::Html,
    Format::Markdown,
    Format::Pdf,
];

/// The beginnings of words: visible ones in three scripts, and hidden ones.
const MARKS: [&str; 4] = ["zz", "זז", "字字", HIDDEN];
pub(super) const HIDDEN: &str = "qq";

/// An encoding of plain text.
#[derive(Clone, Copy, Debug)]
enum Encoding {
    Utf16Le,
    Utf16Be,
    Windows1252,
}

const ENCODINGS: [Encoding; 3] = [Encoding::Utf16Le, Encoding::Utf16Be, Encoding::Windows1252];

/// A document and its marked words.
pub(super) struct Source {
    pub(super) name: String,
    pub(super) format: Format,
    pub(super) bytes: Vec<u8>,
    pub(super) words: BTreeSet<String>,
}

/// A source of each format, and those of plain text in each encoding.
pub(super) fn sources() -> Vec<Source> {
    let sources = SOURCES.into_iter().flat_map(|format| {
        let bytes = document(format);
        let is_plain = matches!(format, Format::Txt | Format::Csv | Format::Tsv);
        let encoded = ENCODINGS.into_iter().filter(|_| is_plain);
        let encoded = encoded.map(|encoding| encoded_source(format, &bytes, encoding));
        let encoded: Vec<Source> = encoded.collect();
        let source = Source {
            name: format.to_string(),
            format,
            words: marked(&readable(format, &bytes)),
            bytes,
        };
        std::iter::once(source).chain(encoded)
    });
    sources.collect()
}

/// A text in another encoding than UTF-8, without the characters that it does not have.
fn encoded_source(format: Format, utf8: &[u8], encoding: Encoding) -> Source {
    let text = std::str::from_utf8(utf8).unwrap();
    let text = text.trim_start_matches('\u{feff}');
    let utf16 = |bytes: fn(u16) -> [u8; 2]| {
        let marked = format!("\u{feff}{text}");
        marked.encode_utf16().flat_map(bytes).collect()
    };
    let narrow: Vec<u8> = text
        .chars()
        .filter_map(|one| u8::try_from(one).ok())
        .collect();
    let narrow_text: String = narrow.iter().map(|byte| char::from(*byte)).collect();
    let (bytes, text) = match encoding {
        Encoding::Utf16Le => (utf16(u16::to_le_bytes), text),
        Encoding::Utf16Be => (utf16(u16::to_be_bytes), text),
        Encoding::Windows1252 => (narrow, narrow_text.as_str()),
    };
    Source {
        name: format!("{format} in {encoding:?}"),
        format,
        bytes,
        words: marked(text),
    }
}

/// The text of a document with its markup. Binary documents contain text in UTF-16 and in single bytes.
fn readable(format: Format, bytes: &[u8]) -> String {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), bytes).unwrap();
    match format {
        Format::Doc | Format::Xls | Format::Ppt => binary_text(bytes),
        Format::Xlsb => {
            let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
            let parts = (0..archive.len()).map(|at| {
                let mut bytes = Vec::new();
                archive
                    .by_index(at)
                    .unwrap()
                    .read_to_end(&mut bytes)
                    .unwrap();
                binary_text(&bytes)
            });
            parts.collect()
        }
        Format::Pdf => String::from_utf8_lossy(bytes).into_owned(),
        _ => content(file.path()),
    }
}

/// The ASCII characters of text in single bytes and in UTF-16 at even and odd offsets.
fn binary_text(bytes: &[u8]) -> String {
    let ascii = |unit: u16| match u8::try_from(unit) {
        Ok(byte) if byte.is_ascii() => char::from(byte),
        _ => ' ',
    };
    let single = bytes.iter().map(|byte| ascii(u16::from(*byte)));
    let wide = [bytes, &bytes[1..]].map(|bytes| bytes.as_chunks::<2>().0);
    let wide = wide.into_iter().flatten();
    let wide = wide.map(|unit| ascii(u16::from_le_bytes(*unit)));
    single.chain([' ']).chain(wide).collect()
}

fn folder() -> PathBuf {
    harness::checkout().join("shared/engine/tests/engine/constructs")
}

/// The document of a format: a file, or a folder of the parts of a package.
fn document(format: Format) -> Vec<u8> {
    let folder = folder();
    let file = folder.join("source").with_extension(format.extension());
    match format {
        Format::Xlsb => xlsb::workbook(parts(&folder.join("xlsx"))),
        _ if file.exists() => fs::read(file).unwrap(),
        _ => {
            let mut parts = parts(&folder.join(format.extension()));
            parts.sort_by_key(|(name, _)| (name != "mimetype", name.clone()));
            package(parts)
        }
    }
}

/// The names and contents of the parts in a folder.
fn parts(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap();
    let parts = entries.flat_map(|entry| {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        match entry.path().is_dir() {
            true => {
                let inner = parts(&entry.path()).into_iter();
                let inner = inner.map(|(inner, bytes)| (format!("{name}/{inner}"), bytes));
                inner.collect()
            }
            false => vec![(name, fs::read(entry.path()).unwrap())],
        }
    });
    parts.collect()
}

/// The marked words of a text.
fn marked(text: &str) -> BTreeSet<String> {
    let is_letter = |one: char| one.is_alphabetic() && !one.is_uppercase();
    let words = text.split(|one| !is_letter(one));
    let marked = words.filter(|word| {
        MARKS
            .iter()
            .any(|mark| word.len() > mark.len() && word.starts_with(mark))
    });
    marked.map(str::to_owned).collect()
}
