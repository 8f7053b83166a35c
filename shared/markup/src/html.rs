//! Reads HTML by the semantics of its elements. Nothing is fetched, no script runs, style sheets are ignored.

mod context;
mod images;
mod inline_style;
mod links;
mod tree;
mod walk;

use encoding_rs::Encoding;

pub(crate) use self::tree::{CountsTokens, Feed};
use self::walk::Walk;
use crate::error::{MarkupError, Result};
use crate::limits::Budget;
use crate::paper;
use crate::source::{LoadedDocument, Metadata, UnnumberedPage};
use crate::text;
use crate::xml::Element;

/// Number of bytes in which the encoding is searched (the standard requires 1,024).
const HEAD: usize = 4_096;

/// Reads a page.
pub(crate) fn open(bytes: Vec<u8>, budget: Budget) -> Result<LoadedDocument> {
    if [&b"%PDF-"[..], b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"{\\rtf"]
        .iter()
        .any(|magic| bytes.starts_with(magic))
    {
        return Err(MarkupError::Mismatch);
    }
    let declared = declared(&bytes);
    read(&text::decode(bytes, declared)?, budget, false)
}

/// Reads the text of a page. `rules_tables` marks every table as ruled.
pub(crate) fn read(text: &str, budget: Budget, rules_tables: bool) -> Result<LoadedDocument> {
    let root = tree::build(text, &budget)?;
    let metadata = metadata(&root);
    let walk = Walk::through(&root, budget, rules_tables)?;
    let leaf = UnnumberedPage {
        size: paper::A4,
        blocks: walk.blocks,
        ..UnnumberedPage::default()
    };
    Ok(LoadedDocument {
        leaves: [leaf].into(),
        pictures: walk.pictures,
        metadata,
        warnings: walk.losses.all(),
    })
}

fn metadata(root: &Element) -> Metadata {
    let title = root.descendant("title").map(Element::text);
    let title = title.map(|title| title.split_whitespace().collect::<Vec<_>>().join(" "));
    let language = root
        .find("html")
        .and_then(|html| html.get("lang").or_else(|| html.get("xml:lang")));
    Metadata {
        title: title.filter(|title| !title.is_empty()),
        language: language
            .map(|language| language.trim().to_owned())
            .filter(|language| !language.is_empty()),
    }
}

/// Returns the encoding declared by a `meta` element.
pub(crate) fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes.get(..bytes.len().min(HEAD))?;
    let head: String = head
        .iter()
        .map(|byte| char::from(*byte).to_ascii_lowercase())
        .collect();
    let charset = head.split("charset").skip(1).find_map(|rest| {
        let rest = rest
            .trim_start()
            .strip_prefix('=')?
            .trim_start()
            .trim_start_matches(['"', '\'']);
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "-_:.".contains(c)));
        rest.get(..end.unwrap_or(rest.len()))
            .filter(|label| !label.is_empty())
    });
    let encoding = Encoding::for_label(charset?.as_bytes())?;
    // UTF-16 cannot be meant: the declaration was read as ASCII (WHATWG encoding sniffing).
    Some(if encoding.is_ascii_compatible() {
        encoding
    } else {
        encoding_rs::UTF_8
    })
}

#[cfg(test)]
mod tests {
    use super::declared;

    #[test]
    fn the_declared_encoding_is_found() {
        let name = |bytes: &[u8]| declared(bytes).map(|encoding| encoding.name());
        assert_eq!(name(b"<meta charset=\"ISO-8859-15\">"), Some("ISO-8859-15"));
        assert_eq!(
            name(b"<META content='text/html; CharSet=Shift_JIS'>"),
            Some("Shift_JIS")
        );
        assert_eq!(name(b"<meta charset=utf-16>"), Some("UTF-8"));
        assert_eq!(name(b"<p>no charset here</p>"), None);
    }
}
