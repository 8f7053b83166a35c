//! Writes items as text, compound files and packages, for tests of readers.

use std::io::{Cursor, Write as _};
use std::path::Path;

use cfb::CompoundFile;
use tempfile::NamedTempFile;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::item::{Item, Place, Take, Unreadable};

/// Reads a file with these bytes. Writes items as text: `|` is a break, `#` a number, `*` an image, `~` a chart, `^` the beginning
/// of headers; places are in brackets, hidden texts in braces.
pub(super) fn items<R>(
    bytes: &[u8],
    read: impl FnOnce(&Path, Take<'_>) -> Result<R, Unreadable>,
) -> Result<String, Unreadable> {
    let mut file = NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    let (mut items, mut last) = (String::new(), Place::default());
    read(file.path(), &mut |item, place| {
        if let Item::Hidden { text, images } = item {
            let images = usize::try_from(images).unwrap();
            items += &format!("{{{text}{}}}", "*".repeat(images));
        }
        if matches!(item, Item::Part | Item::Aside(_)) {
            return;
        }
        if place != last {
            let cell = place.cell.map(|(row, column)| format!(" {row},{column}"));
            items += &format!("[{}{}]", place.number, cell.unwrap_or_default());
            last = place;
        }
        items += match item {
            Item::Text(text) => text,
            Item::Break => "|",
            Item::Number(_) => "#",
            Item::Image => "*",
            Item::Table => "&",
            Item::Chart => "~",
            Item::Once(true) => "^",
            _ => "",
        };
    })?;
    Ok(items)
}

/// A compound file with these streams.
pub(super) fn compound(streams: &[(&str, &[u8])]) -> Vec<u8> {
    let mut file = CompoundFile::create(Cursor::new(Vec::new())).unwrap();
    for (name, bytes) in streams {
        file.create_stream(name).unwrap().write_all(bytes).unwrap();
    }
    file.flush().unwrap();
    file.into_inner().into_inner()
}

/// A package with these parts.
pub(super) fn package(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// The little-endian bytes of numbers.
pub(super) fn u32s(numbers: &[u32]) -> Vec<u8> {
    numbers
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect()
}

/// The little-endian bytes of numbers.
pub(super) fn u16s(numbers: &[u16]) -> Vec<u8> {
    numbers
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect()
}
