//! The media type of a file by its bytes; what is claimed counts only where they do not tell.

use crate::format::Format;

/// The type of bytes that nobody knows anything about.
pub const OCTETS: &str = "application/octet-stream";

const HTML: &str = "text/html";
const SVG: &str = "image/svg+xml";
const ZIP: &str = "application/zip";

/// Formats that their first bytes give away [their specifications].
const SIGNATURES: &[(&[u8], Format)] = &[
    (b"\x89PNG\r\n\x1a\n", Format::Png),
    (b"\xff\xd8\xff", Format::Jpeg),
    (b"GIF87a", Format::Gif),
    (b"GIF89a", Format::Gif),
    (b"II*\0", Format::Tiff),
    (b"MM\0*", Format::Tiff),
    (b"{\\rtf", Format::Rtf),
];

/// Formats of office packages, by a part that each has.
const PARTS: &[(&[u8], Format)] = &[
    (b"word/document", Format::Docx),
    (b"xl/workbook.bin", Format::Xlsb),
    (b"xl/workbook", Format::Xlsx),
    (b"ppt/presentation", Format::Pptx),
];

/// The old office formats: one container, told apart by what is said of them.
const COMPOUND: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/// Readers take a PDF whose header stands somewhere in the first kilobyte [ISO 32000-1, annex H].
const PDF_HEADER_WITHIN: usize = 1_024;

/// The media type of a file that begins with `head` and ends with `tail` (some ten kilobytes each; they may overlap), for
/// which `claims` were made, the weightiest first. A claim is believed only where the bytes cannot contradict it.
#[must_use]
pub fn media_type(head: &[u8], tail: &[u8], claims: &[&str]) -> String {
    if let Some(format) = by_signature(head).or_else(|| by_package(head, tail)) {
        return format.mime_type().to_owned();
    }
    let claimed = |admits: &dyn Fn(&str) -> bool| {
        let essences = claims.iter().filter_map(|claim| essence(claim));
        essences.into_iter().find(|claim| admits(claim))
    };
    let otherwise = if head.starts_with(COMPOUND) {
        return claimed(&is_compound).unwrap_or_else(|| OCTETS.to_owned());
    } else if head.starts_with(b"PK\x03\x04") {
        ZIP
    } else if let Some(text) = text(head) {
        match markup(text) {
            Some(markup) => return markup.to_owned(),
            None => return claimed(&is_text).unwrap_or_else(|| "text/plain".to_owned()),
        }
    } else {
        OCTETS
    };
    claimed(&is_unknown).unwrap_or_else(|| otherwise.to_owned())
}

/// Whether a file whose bytes say `told` cannot be what `claim` says. Only types that the service knows are judged; one
/// kind of text may pass for another, which bytes seldom tell.
#[must_use]
pub fn contradicts(claim: &str, told: &str) -> bool {
    let Some(claimed) = Format::from_mime_type(claim) else {
        return false;
    };
    let other = Format::from_mime_type(told) != Some(claimed);
    other && !(is_text(claimed.mime_type()) && (is_text(told) || told == SVG))
}

fn by_signature(head: &[u8]) -> Option<Format> {
    let listed = SIGNATURES
        .iter()
        .find(|(signature, _)| head.starts_with(signature));
    if let Some((_, format)) = listed {
        return Some(*format);
    }
    let start = head.get(..PDF_HEADER_WITHIN).unwrap_or(head);
    if holds(start, b"%PDF-") {
        return Some(Format::Pdf);
    }
    if head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP") {
        return Some(Format::Webp);
    }
    if let Some(format) = by_brand(head) {
        return Some(format);
    }
    // The size of the information header, which stands behind file size and offset.
    let bitmap = head.starts_with(b"BM")
        && matches!(
            head.get(14..18),
            Some([12 | 40 | 52 | 56 | 64 | 108 | 124, 0, 0, 0])
        );
    bitmap.then_some(Format::Bmp)
}

/// Images in boxes, by the main brand [ISO/IEC 14496-12, 4.3]; of the one that both have, by another.
fn by_brand(head: &[u8]) -> Option<Format> {
    if head.get(4..8) != Some(b"ftyp") {
        return None;
    }
    match head.get(8..12)? {
        b"avif" | b"avis" => Some(Format::Avif),
        b"heic" | b"heix" => Some(Format::Heic),
        b"mif1" | b"msf1" if holds(head.get(16..32)?, b"avif") => Some(Format::Avif),
        b"mif1" | b"msf1" if holds(head.get(16..32)?, b"heic") => Some(Format::Heic),
        _ => None,
    }
}

fn by_package(head: &[u8], tail: &[u8]) -> Option<Format> {
    if !head.starts_with(b"PK\x03\x04") {
        return None;
    }
    // An OpenDocument package begins with its media type, stored as it is.
    let opened = Format::ALL.iter().copied().find(|format| {
        let mime_type = format.mime_type();
        mime_type.starts_with("application/vnd.oasis.opendocument")
            && head
                .get(30..)
                .and_then(|rest| rest.strip_prefix(b"mimetype"))
                .is_some_and(|rest| rest.starts_with(mime_type.as_bytes()))
    });
    let by_part = || {
        let part = PARTS
            .iter()
            .find(|(part, _)| holds(head, part) || holds(tail, part));
        part.map(|(_, format)| *format)
    };
    opened.or_else(by_part)
}

fn holds(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|window| window == wanted)
}

/// The head as text, unless it is none; it may end inside a character.
fn text(head: &[u8]) -> Option<&str> {
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(head.get(..error.valid_up_to())?).ok()?
        }
        Err(_) => return None,
    };
    let is_binary = |c: char| c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{c}');
    (!text.contains(is_binary)).then_some(text)
}

/// What a browser would run, whatever anybody calls it.
fn markup(text: &str) -> Option<&'static str> {
    let start: String = text
        .trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n'])
        .chars()
        .take(1_024)
        .collect::<String>()
        .to_ascii_lowercase();
    if start.starts_with("<!doctype html") || start.starts_with("<html") {
        Some(HTML)
    } else if start.starts_with("<svg") || (start.starts_with("<?xml") && start.contains("<svg")) {
        Some(SVG)
    } else {
        None
    }
}

/// A media type in lower case, without parameters; `None` for what is none.
fn essence(claim: &str) -> Option<String> {
    let essence = claim.split(';').next()?.trim().to_ascii_lowercase();
    let (kind, subtype) = essence.split_once('/')?;
    let token = |text: &str| {
        !text.is_empty()
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&byte))
    };
    (token(kind) && token(subtype) && essence.len() <= 120).then_some(essence)
}

fn is_compound(claim: &str) -> bool {
    matches!(
        Format::from_mime_type(claim),
        Some(Format::Doc | Format::Xls | Format::Ppt)
    )
}

/// Text that is not called what it would give itself away as.
fn is_text(claim: &str) -> bool {
    let known = Format::from_mime_type(claim);
    known.is_some_and(|format| format.is_plain_text() || format == Format::Json)
        || (known.is_none()
            && (claim.starts_with("text/") || claim == "application/xml")
            && !claim.contains("rtf"))
}

/// A type that no bytes that we know belong to.
fn is_unknown(claim: &str) -> bool {
    Format::from_mime_type(claim).is_none()
        && !claim.starts_with("text/")
        && claim != SVG
        && claim != OCTETS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(head: &[u8], claims: &[&str]) -> String {
        media_type(head, head, claims)
    }

    #[test]
    fn bytes_count_more_than_claims() {
        for (head, is) in [
            (&b"%PDF-1.7\n"[..], "application/pdf"),
            (b"\n\n%PDF-1.7\n", "application/pdf"),
            (b"\x89PNG\r\n\x1a\n\0\0", "image/png"),
            (b"\xff\xd8\xff\xe0", "image/jpeg"),
            (b"GIF89a", "image/gif"),
            (b"RIFF\x10\0\0\0WEBPVP8 ", "image/webp"),
            (b"\0\0\0\x18ftypavif\0\0\0\0avifmif1", "image/avif"),
            (
                b"\0\0\0\x18ftypmif1\0\0\0\0mif1heic\0\0\0\x10meta",
                "image/heic",
            ),
            (b"II*\0\x08\0\0\0", "image/tiff"),
            (b"BM\x10\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0", "image/bmp"),
            (b"{\\rtf1\\ansi", "application/rtf"),
            (b"<!DOCTYPE html><p>", "text/html"),
            (b"\xef\xbb\xbf <HTML>", "text/html"),
            (b"<?xml version=\"1.0\"?>\n<svg xmlns", "image/svg+xml"),
        ] {
            for claim in ["application/pdf", "image/png", "text/plain", "a/b", ""] {
                assert_eq!(of(head, &[claim]), is, "{claim}");
            }
        }
    }

    #[test]
    fn packages_are_told_by_what_is_inside() {
        let open = b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x08\0\0\0mimetypeapplication/vnd.oasis.opendocument.spreadsheetPK";
        assert_eq!(of(open, &[]), Format::Ods.mime_type());
        for (part, format) in PARTS {
            let tail = [b"PK\x01\x02 ", *part, b".xml"].concat();
            let is = media_type(b"PK\x03\x04", &tail, &["application/zip"]);
            assert_eq!(is, format.mime_type());
        }
        assert_eq!(of(b"PK\x03\x04", &[]), ZIP);
        assert_eq!(
            of(b"PK\x03\x04", &["application/epub+zip"]),
            "application/epub+zip"
        );
        assert_eq!(of(b"PK\x03\x04", &[Format::Docx.mime_type()]), ZIP);
    }

    #[test]
    fn claims_count_where_bytes_do_not_tell() {
        assert_eq!(of(COMPOUND, &["application/msword"]), "application/msword");
        assert_eq!(of(COMPOUND, &["application/pdf"]), OCTETS);
        assert_eq!(
            of(b"a,b\n1,2\n", &["", "junk", "Text/CSV; charset=utf-8"]),
            "text/csv"
        );
        assert_eq!(
            of(b"a,b\n", &["image/png", "text/markdown"]),
            "text/markdown"
        );
        assert_eq!(of(b"plain", &["application/pdf"]), "text/plain");
        assert_eq!(
            of("ä".repeat(9).as_bytes().get(..5).unwrap(), &[]),
            "text/plain"
        );
        assert_eq!(
            of(b"\0\x01\x02", &["application/pdf", "text/plain"]),
            OCTETS
        );
        assert_eq!(of(b"\0\x01\x02", &["video/mp4"]), "video/mp4");
        assert_eq!(of(b"\0\x01\x02", &["image/svg+xml"]), OCTETS);
        assert_eq!(of(b"", &[]), "text/plain");
    }

    #[test]
    fn a_claim_that_cannot_be_true_is_told() {
        let known = [Format::Pdf, Format::Jpeg, Format::Docx, Format::Doc];
        for claim in known.map(Format::mime_type) {
            for told in ["image/png", "text/plain", ZIP, OCTETS, SVG] {
                assert!(contradicts(claim, told), "{claim} {told}");
            }
            assert!(!contradicts(claim, claim));
        }
        assert!(contradicts("text/plain", "application/pdf"));
        assert!(contradicts("TEXT/HTML; charset=utf-8", "image/png"));
        for (claim, told) in [
            ("image/jpg", "image/jpeg"),
            ("text/rtf", "application/rtf"),
            ("text/plain", "text/html"),
            ("text/markdown", "text/html"),
            ("text/html", "text/html"),
            ("application/json", "application/json"),
            ("text/plain", SVG),
            (OCTETS, "application/pdf"),
            (ZIP, Format::Docx.mime_type()),
            ("video/mp4", "text/plain"),
        ] {
            assert!(!contradicts(claim, told), "{claim} {told}");
        }
    }
}
