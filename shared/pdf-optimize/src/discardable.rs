//! Removes data that neither appearance nor text of a PDF depends on: XMP padding, usage rights that any change invalidates,
//! private data of applications, and page thumbnails.

use lopdf::{Dictionary, Document, Object, Stream};
use pdf::objects::{is_a, member};

use super::lazy_document::LazyDocument;

/// End marker of an XMP packet.
const PACKET_END: &[u8] = b"<?xpacket end";
/// Minimum saving that is worth a change, in bytes.
const MIN_SAVING: usize = 64;

/// Returns an XMP packet without the padding reserved for in-place edits [XMP 1, 7.3.3].
pub(super) fn trim_xmp_padding(
    source: &LazyDocument,
    stream: &Stream,
) -> Option<(Dictionary, Vec<u8>)> {
    if !stream.dict.has_type(b"Metadata") || stream.dict.has(b"Filter") {
        return None;
    }
    let packet = source.with_content(stream)?.content;
    let end = packet
        .windows(PACKET_END.len())
        .rposition(|window| window == PACKET_END)?;
    let (content, end) = packet.split_at_checked(end)?;
    let shorter = [content.trim_ascii_end(), b"\n", end].concat();
    (shorter.len() + MIN_SAVING < packet.len()).then_some((stream.dict.clone(), shorter))
}

/// Returns the catalog without usage rights signatures [ISO 32000-1, 12.8.2.3]: any change invalidates them, and readers
/// then show an error. `None` if there are none.
pub(super) fn without_usage_rights(
    document: &Document,
    catalog: &Dictionary,
) -> Option<Dictionary> {
    const PERMISSIONS: &[u8] = b"Perms";
    const RIGHTS: [&[u8]; 2] = [b"UR", b"UR3"];
    if !catalog.has_type(b"Catalog") {
        return None;
    }
    let mut remaining = member(document, catalog, PERMISSIONS)?.clone();
    let granted = RIGHTS.map(|key| remaining.remove(key));
    granted.iter().any(Option::is_some).then_some(())?;
    let mut kept = catalog.clone();
    match remaining.is_empty() {
        true => drop(kept.remove(PERMISSIONS)),
        false => kept.set(PERMISSIONS, remaining),
    }
    Some(kept)
}

/// Returns the object without private application data [ISO 32000-1, 14.5] and without the page thumbnail, which readers
/// regenerate; `None` if it has neither.
pub(super) fn without_private_data(members: &Dictionary) -> Option<Dictionary> {
    const PRIVATE_DATA: &[u8] = b"PieceInfo";
    const THUMBNAIL: &[u8] = b"Thumb";
    let kind = members.get(b"Type").and_then(Object::as_name).ok();
    let removed: &[&[u8]] = match kind {
        Some(b"Page") => &[PRIVATE_DATA, THUMBNAIL],
        Some(b"Catalog") => &[PRIVATE_DATA],
        _ if is_a(members, b"Form") => &[PRIVATE_DATA],
        _ => &[],
    };
    if !removed.iter().any(|key| members.has(key)) {
        return None;
    }
    let mut kept = members.clone();
    for key in removed {
        kept.remove(key);
    }
    Some(kept)
}

#[cfg(test)]
mod tests {
    use lopdf::dictionary;

    use super::*;

    #[test]
    fn usage_rights_are_removed_and_other_permissions_stay() {
        let mut document = Document::new();
        let rights = dictionary! { "Contents" => "signature" };
        let rights = document.add_object(rights);
        let given = dictionary! { "UR3" => rights, "DocMDP" => (9, 0) };
        let given = document.add_object(given);
        let catalog = dictionary! { "Type" => "Catalog", "Perms" => given };
        let remaining =
            dictionary! { "Type" => "Catalog", "Perms" => dictionary! { "DocMDP" => (9, 0) } };
        assert_eq!(
            without_usage_rights(&document, &catalog),
            Some(remaining.clone())
        );
        assert_eq!(without_usage_rights(&document, &remaining), None);
        let catalog =
            dictionary! { "Type" => "Catalog", "Perms" => dictionary! { "UR" => rights } };
        let remaining = dictionary! { "Type" => "Catalog" };
        assert_eq!(without_usage_rights(&document, &catalog), Some(remaining));
    }

    #[test]
    fn pages_lose_private_data_and_thumbnails() {
        let page =
            dictionary! { "Type" => "Page", "PieceInfo" => 1, "Thumb" => 2, "Contents" => 3 };
        let expected = dictionary! { "Type" => "Page", "Contents" => 3 };
        assert_eq!(without_private_data(&page), Some(expected.clone()));
        assert_eq!(without_private_data(&expected), None);
        let other = dictionary! { "Type" => "Font", "PieceInfo" => 1 };
        assert_eq!(without_private_data(&other), None);
    }
}
