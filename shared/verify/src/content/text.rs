//! Reads plain text. In an encoding other than UTF-8 and UTF-16 with a byte order mark, only words of ASCII letters are compared.

use std::path::Path;

use super::item::{Item, Place, Take, Unreadable};

/// Maximum size of a text in bytes.
const MAX_BYTES: u64 = 512 * 1024 * 1024;

/// Calls `take` with each line of a text.
pub(super) fn read(path: &Path, take: Take<'_>) -> Result<(), Unreadable> {
    lines(&read_text(path)?, take);
    Ok(())
}

/// Calls `take` with each line of a text.
pub(super) fn lines(text: &str, take: Take<'_>) {
    for line in text.split(['\n', '\r']) {
        take(Item::Text(line), Place::default());
        take(Item::Break, Place::default());
    }
}

/// Calls `take` with each cell of a table in text: separators of any dialect end a cell.
pub(super) fn read_cells(path: &Path, take: Take<'_>) -> Result<(), Unreadable> {
    for cell in read_text(path)?.split(['\n', '\r', ',', ';', '\t', '|']) {
        take(Item::Text(cell), Place::default());
        take(Item::Break, Place::default());
    }
    Ok(())
}

/// Reads a file as text. Words with other letters than ASCII are omitted if the encoding is unknown.
pub(super) fn read_text(path: &Path) -> Result<String, Unreadable> {
    if std::fs::metadata(path)?.len() > MAX_BYTES {
        return Err(Unreadable);
    }
    let bytes = std::fs::read(path)?;
    let utf16 = |bytes: &[u8], read: fn([u8; 2]) -> u16| {
        let (pairs, _) = bytes.as_chunks::<2>();
        let units = pairs.iter().map(|pair| read(*pair));
        let characters = char::decode_utf16(units);
        characters
            .map(|character| character.unwrap_or(' '))
            .collect()
    };
    // ISO 2022 switches character sets by escape sequences; UTF-16 without a mark has zero bytes.
    let is_marked = matches!(bytes.as_slice(), [0xff, 0xfe, ..] | [0xfe, 0xff, ..]);
    if !is_marked && bytes.iter().any(|byte| matches!(byte, 0 | 0x1b)) {
        return Err(Unreadable);
    }
    match bytes.as_slice() {
        [0xff, 0xfe, rest @ ..] => return Ok(utf16(rest, u16::from_le_bytes)),
        [0xfe, 0xff, rest @ ..] => return Ok(utf16(rest, u16::from_be_bytes)),
        _ => {}
    }
    String::from_utf8(bytes).or_else(|error| Ok(ascii_words(error.as_bytes())))
}

/// The text of an ASCII-compatible encoding with a space for each word that has other characters.
pub(super) fn ascii_words(bytes: &[u8]) -> String {
    let is_separator = |byte: &u8| byte.is_ascii_whitespace() || byte.is_ascii_punctuation();
    let mut text = String::new();
    for part in bytes.split_inclusive(is_separator) {
        let (word, separator) = match part.split_last() {
            Some((last, word)) if is_separator(last) => (word, char::from(*last)),
            _ => (part, ' '),
        };
        if word.is_ascii() {
            text.extend(word.iter().map(|byte| char::from(*byte)));
        }
        text.push(separator);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8]) -> String {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        read_text(file.path()).unwrap()
    }

    #[test]
    fn encodings_are_decoded() {
        assert_eq!(text("Straße".as_bytes()), "Straße");
        assert_eq!(text(b"\xff\xfeA\0\xe4\0"), "Aä");
        assert_eq!(text(b"<p>Stra\xdfe und Weg</p>"), "<p> und Weg</p>");
    }
}
