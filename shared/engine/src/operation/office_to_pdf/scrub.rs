//! Overwrites values in a PDF in place, so that lengths and offsets stay the same: those that differ between runs, and links that
//! LibreOffice has resolved against the directory of the document.
//!
//! LibreOffice writes the time, a random identifier, a checksum of both, and links in plain text.

use std::fs::OpenOptions;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use crate::operation::office_document::LocalLinks;

/// Bytes at the end of the file that contain the trailer and the document information dictionary.
const TAIL: u64 = 16 * 1024 * 1024;
/// Bytes of the file read at a time, and by which the pieces overlap: the longest link that is changed.
const PIECE: u64 = 16 * 1024 * 1024;
const OVERLAP: u64 = 8 * 1024;
const MAX_LINK: usize = 8 * 1024;

/// The text before the value, the bytes of the value that are overwritten with `0`, and the byte after the value.
type Place = (&'static [u8], fn(u8) -> bool, u8);

const IDENTIFIERS: [Place; 2] = [
    (b"/DocChecksum /", |byte| byte.is_ascii_hexdigit(), b'\n'),
    (b"/ID [ <", |byte| byte.is_ascii_hexdigit(), b']'),
];
/// Beginning and end of entries that are overwritten with spaces: the time of the conversion is not a date of the document.
const DATES: [(&[u8], &[u8]); 5] = [
    (b"/CreationDate(D:", b")"),
    (b"/ModDate(D:", b")"),
    (b"<xmp:CreateDate>", b"</xmp:CreateDate>"),
    (b"<xmp:ModifyDate>", b"</xmp:ModifyDate>"),
    (b"<xmp:MetadataDate>", b"</xmp:MetadataDate>"),
];
/// Start of a link to a file.
const LINK: &[u8] = b"/URI(";

/// Overwrites the values in a file.
pub(super) fn scrub(path: &Path, links: &LocalLinks) -> std::io::Result<()> {
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    let length = file.metadata()?.len();
    let mut start = 0;
    let mut piece = Vec::new();
    loop {
        file.seek(SeekFrom::Start(start))?;
        piece.clear();
        (&mut file).take(PIECE).read_to_end(&mut piece)?;
        let mut changed = make_relative(&mut piece, links);
        if start + PIECE + TAIL >= length {
            overwrite(&mut piece);
            changed = true;
        }
        if changed {
            file.seek(SeekFrom::Start(start))?;
            file.write_all(&piece)?;
        }
        if start + PIECE >= length {
            return Ok(());
        }
        start += PIECE - OVERLAP;
    }
}

fn overwrite(bytes: &mut [u8]) {
    for (before, changes, end) in IDENTIFIERS {
        let mut from = 0;
        while let Some(found) = find(bytes, before, from) {
            from = found + before.len();
            let place = bytes.iter_mut().skip(from).take(128);
            for byte in place.take_while(|byte| **byte != end) {
                if changes(*byte) {
                    *byte = b'0';
                }
            }
        }
    }
    for (beginning, end) in DATES {
        let mut from = 0;
        while let Some(found) = find(bytes, beginning, from) {
            from = found + beginning.len();
            let end = find(bytes, end, from).map(|at| at + end.len());
            let end = end.filter(|end| end - found < 96);
            if let Some(entry) = end.and_then(|end| bytes.get_mut(found..end)) {
                entry.fill(b' ');
            }
        }
    }
}

/// Replaces links by relative ones, padded with spaces after the closing parenthesis. Returns whether there are any.
fn make_relative(bytes: &mut [u8], links: &LocalLinks) -> bool {
    let mut changed = false;
    let mut from = 0;
    while let Some(found) = find(bytes, LINK, from) {
        from = found + LINK.len();
        let Some(end) = closing_parenthesis(bytes, from) else {
            continue;
        };
        let place = bytes.get_mut(from..=end).unwrap_or_default();
        let url = place
            .split_last()
            .and_then(|(_, url)| std::str::from_utf8(url).ok());
        let Some(relative) = url.and_then(|url| links.relative(url)) else {
            continue;
        };
        let text = relative.into_bytes().into_iter().chain([b')']);
        for (byte, new) in place.iter_mut().zip(text.chain(std::iter::repeat(b' '))) {
            *byte = new;
        }
        changed = true;
    }
    changed
}

/// The end of a string that begins before `from`; a parenthesis after a backslash is part of it.
fn closing_parenthesis(bytes: &[u8], from: usize) -> Option<usize> {
    let mut is_escaped = false;
    let string = bytes.get(from..)?.iter().take(MAX_LINK);
    let length = string.into_iter().position(|byte| {
        let closes = *byte == b')' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        closes
    });
    Some(from + length?)
}

fn find(bytes: &[u8], pattern: &[u8], from: usize) -> Option<usize> {
    let found = memchr::memmem::find(bytes.get(from..)?, pattern)?;
    Some(from + found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_run_dependent_values_change_and_lengths_stay() {
        let mut bytes = b"/Producer(Office 25)\n/CreationDate(D:20261121012229Z'00')>>\n/ID [ <AB12>\n<cd34> ]\n/DocChecksum /0F1E\n/Size 25<xmp:CreateDate>2026-11-21T01:22:29Z</xmp:CreateDate>".to_vec();
        overwrite(&mut bytes);
        let expected = b"/Producer(Office 25)\n                                    >>\n/ID [ <0000>\n<0000> ]\n/DocChecksum /0000\n/Size 25                                                     ";
        assert_eq!(
            bytes.escape_ascii().to_string(),
            expected.escape_ascii().to_string()
        );
    }

    #[test]
    fn local_links_become_relative_and_lengths_stay() {
        let links = LocalLinks::of(&std::env::current_dir().unwrap(), "");
        let mut bytes = b"/URI(file:///proc/self/cwd/a.docx)/URI(https://a.example/)".to_vec();
        assert!(make_relative(&mut bytes, &links));
        let expected = b"/URI(a.docx)                      /URI(https://a.example/)";
        assert_eq!(
            bytes.escape_ascii().to_string(),
            expected.escape_ascii().to_string()
        );
        assert!(!make_relative(&mut bytes, &links));
    }
}
