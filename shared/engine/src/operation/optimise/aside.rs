//! What a PDF carries besides what is shown and read: space that metadata keep free, and what programs note for themselves.

use lopdf::{Dictionary, Object, Stream};

use super::plain::Plain;
use crate::objects::is_a;

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
