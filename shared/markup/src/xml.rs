//! Parses untrusted XML: document type declarations are rejected, and only predefined entities are resolved (XXE, billion
//! laughs); depth and elements are limited.
//!
//! Names are `prefix:name` with the canonical prefixes of [`namespaces`], regardless of the prefixes in the document.

mod cursor;
mod element;
mod namespaces;

pub(crate) use cursor::{Cursor, Step};
pub(crate) use element::{Element, Node};

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use crate::error::{MarkupError, Result};
use crate::limits::Budget;

/// Parses a part into a tree and returns its root element.
pub(crate) fn tree(bytes: &[u8], budget: &Budget) -> Result<Element> {
    let text = decode(bytes);
    let mut cursor = Cursor::new(&text, budget);
    let root = first(&mut cursor)?;
    cursor.fill(root)
}

/// Returns the root element, without children, of a part or of its beginning.
pub(crate) fn root(bytes: &[u8], budget: &Budget) -> Result<Element> {
    first(&mut Cursor::new(&decode(bytes), budget))
}

fn first(cursor: &mut Cursor<'_>) -> Result<Element> {
    loop {
        match cursor.step()? {
            Step::Open(element) => return Ok(element),
            Step::End => return Err(MarkupError::Corrupt("a part has no root element")),
            Step::Close | Step::Text(_) => {}
        }
    }
}

/// Decodes a part; invalid sequences become U+FFFD.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match Encoding::for_bom(bytes) {
        Some((encoding, _)) => encoding.decode(bytes).0,
        None => encoding(bytes).decode_without_bom_handling(bytes).0,
    }
}

fn encoding(bytes: &[u8]) -> &'static Encoding {
    match bytes {
        [b'<', 0, ..] => UTF_16LE,
        [0, b'<', ..] => UTF_16BE,
        _ => declared(bytes).unwrap_or(UTF_8),
    }
}

/// Returns the encoding of the XML declaration.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes.get(..bytes.len().min(200))?;
    let end = head.iter().position(|byte| *byte == b'>')?;
    let head = std::str::from_utf8(head.get(..end)?).ok()?;
    let (_, rest) = head.split_once("encoding")?;
    let label = rest.split(['"', '\'']).nth(1)?;
    Encoding::for_label(label.as_bytes())
}

#[cfg(test)]
mod tests;
