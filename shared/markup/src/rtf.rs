//! Reads RTF.

mod destination;
mod encapsulated;
mod fonts;
mod lexer;
mod picture;
mod reader;
mod state;
mod story;
mod table;
mod words;

pub(crate) use self::encapsulated::{Encapsulated, encapsulated};
use self::reader::Reader;
use crate::error::{MarkupError, Result};
use crate::limits::Budget;
use crate::source::LoadedDocument;

/// Reads a document.
pub(crate) fn open(bytes: &[u8], budget: Budget) -> Result<LoadedDocument> {
    let start = bytes
        .iter()
        .position(|byte| !byte.is_ascii_whitespace())
        .unwrap_or(0);
    let bytes = bytes.get(start..).unwrap_or_default();
    if bytes.starts_with(&[0xd0, 0xcf, 0x11, 0xe0]) || bytes.starts_with(b"PK\x03\x04") {
        return Err(MarkupError::Mismatch);
    }
    if !bytes.starts_with(b"{\\rtf") {
        return Err(MarkupError::Corrupt("it does not begin with {\\rtf"));
    }
    let mut reader = Reader::new(budget);
    for token in lexer::tokens(bytes) {
        if !reader.take(token)? {
            break;
        }
    }
    reader.finish()
}
