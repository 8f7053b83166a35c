//! What a PDF carries besides what is shown and read: space that metadata keep free, rights that end with any change, and what
//! programs note for themselves.

use lopdf::{Dictionary, Document, Object, Stream};
use pdf::objects::{is_a, member};

use super::plain::Plain;

/// What ends a packet of metadata.
const END: &[u8] = b"<?xpacket end";
/// Least bytes that are worth a change.
const LEAST: usize = 64;

/// Metadata without the space that is kept free for changes in place [XMP 1, 7.3.3].
pub(super) fn metadata(plain: &Plain, stream: &Stream) -> Option<(Dictionary, Vec<u8>)> {
    if !stream.dict.has_type(b"Metadata") || stream.dict.has(b"Filter") {
        return None;
    }
    let packet = plain.with_content(stream)?.content;
    let end = packet
        .windows(END.len())
        .rposition(|window| window == END)?;
    let (before, end) = packet.split_at_checked(end)?;
    let shorter = [before.trim_ascii_end(), b"\n", end].concat();
    (shorter.len() + LEAST < packet.len()).then_some((stream.dict.clone(), shorter))
}

/// A catalog without the rights that the maker of a reader grants for one file as it is [ISO 32000-1, 12.8.2.3]: they end with
/// any change, of which the reader complains then; `None` if there are none.
pub(super) fn without_rights(document: &Document, catalog: &Dictionary) -> Option<Dictionary> {
    const PERMISSIONS: &[u8] = b"Perms";
    const RIGHTS: [&[u8]; 2] = [b"UR", b"UR3"];
    if !catalog.has_type(b"Catalog") {
        return None;
    }
    let mut left = member(document, catalog, PERMISSIONS)?.clone();
    let granted = RIGHTS.map(|key| left.remove(key));
    granted.iter().any(Option::is_some).then_some(())?;
    let mut kept = catalog.clone();
    match left.is_empty() {
        true => drop(kept.remove(PERMISSIONS)),
        false => kept.set(PERMISSIONS, left),
    }
    Some(kept)
}

/// An object without what programs that made it note for themselves [ISO 32000-1, 14.5], and without the small picture of a
/// page, which readers draw anew; `None` if there is nothing of it.
pub(super) fn without_notes(members: &Dictionary) -> Option<Dictionary> {
    const NOTES: &[u8] = b"PieceInfo";
    const PICTURE: &[u8] = b"Thumb";
    let kind = members.get(b"Type").and_then(Object::as_name).ok();
    let removed: &[&[u8]] = match kind {
        Some(b"Page") => &[NOTES, PICTURE],
        Some(b"Catalog") => &[NOTES],
        _ if is_a(members, b"Form") => &[NOTES],
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
    fn rights_for_one_file_end_with_it() {
        let mut document = Document::new();
        let rights = dictionary! { "Contents" => "signature" };
        let rights = document.add_object(rights);
        let given = dictionary! { "UR3" => rights, "DocMDP" => (9, 0) };
        let given = document.add_object(given);
        let catalog = dictionary! { "Type" => "Catalog", "Perms" => given };
        let left =
            dictionary! { "Type" => "Catalog", "Perms" => dictionary! { "DocMDP" => (9, 0) } };
        assert_eq!(without_rights(&document, &catalog), Some(left.clone()));
        assert_eq!(without_rights(&document, &left), None);
        let catalog =
            dictionary! { "Type" => "Catalog", "Perms" => dictionary! { "UR" => rights } };
        let left = dictionary! { "Type" => "Catalog" };
        assert_eq!(without_rights(&document, &catalog), Some(left));
    }

    #[test]
    fn pages_lose_the_notes_of_programs_and_what_is_drawn_anew() {
        let page =
            dictionary! { "Type" => "Page", "PieceInfo" => 1, "Thumb" => 2, "Contents" => 3 };
        let expected = dictionary! { "Type" => "Page", "Contents" => 3 };
        assert_eq!(without_notes(&page), Some(expected.clone()));
        assert_eq!(without_notes(&expected), None);
        let other = dictionary! { "Type" => "Font", "PieceInfo" => 1 };
        assert_eq!(without_notes(&other), None);
    }
}
