//! Detection of the media type of a file by its content; declared types apply only if the content is ambiguous.

mod mail;

pub use self::mail::is_mail;
use crate::format::Format;

/// The media type of unknown content.
pub const OCTET_STREAM: &str = "application/octet-stream";

const HTML: &str = "text/html";
const MAIL: &str = "message/rfc822";
const SVG: &str = "image/svg+xml";
const ZIP: &str = "application/zip";

/// Formats with a signature in their first bytes [their specifications].
const SIGNATURES: &[(&[u8], Format)] = &[
    (b"\x89PNG\r\n\x1a\n", Format::Png),
    (b"\xff\xd8\xff", Format::Jpeg),
    (b"GIF87a", Format::Gif),
    (b"GIF89a", Format::Gif),
    (b"II*\0", Format::Tiff),
    (b"MM\0*", Format::Tiff),
    (b"{\\rtf", Format::Rtf),
];

/// Formats of ZIP packages, by a characteristic entry.
const PARTS: &[(&[u8], Format)] = &[
    (b"word/document", Format::Docx),
    (b"xl/workbook.bin", Format::Xlsb),
    (b"xl/workbook", Format::Xlsx),
    (b"ppt/presentation", Format::Pptx),
];

/// Signature of the compound file format of older office documents; the declared type distinguishes them.
const COMPOUND: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/// Readers accept a PDF whose header is anywhere in the first kilobyte [ISO 32000-1, annex H].
const PDF_HEADER_WITHIN: usize = 1_024;

/// Returns the media type of a file that begins with `head` and ends with `tail` (64 KiB each; they may overlap).
/// `claims` are the declared types in descending priority; they apply only if the content does not contradict them.
#[must_use]
pub fn media_type(head: &[u8], tail: &[u8], claims: &[&str]) -> String {
    if let Some(format) = by_signature(head).or_else(|| by_package(head, tail)) {
        return format.mime_type().to_owned();
    }
    let claimed = |is_possible: &dyn Fn(&str) -> bool| {
        let essences = claims.iter().filter_map(|claim| essence(claim));
        essences.into_iter().find(|claim| is_possible(claim))
    };
    let otherwise = if head.starts_with(COMPOUND) {
        return claimed(&is_compound).unwrap_or_else(|| OCTET_STREAM.to_owned());
    } else if head.starts_with(b"PK\x03\x04") {
        ZIP
    } else if let Some(text) = text(head) {
        let is_mail = mail::is_mail(head);
        let is_possible = |claim: &str| is_text(claim) || (is_mail && claim == MAIL);
        let otherwise = if is_mail { MAIL } else { "text/plain" };
        match markup(text) {
            Some(markup) => return markup.to_owned(),
            None => return claimed(&is_possible).unwrap_or_else(|| otherwise.to_owned()),
        }
    } else if mail::is_mail(head) {
        // In another character set than UTF-8.
        MAIL
    } else {
        OCTET_STREAM
    };
    claimed(&is_unknown).unwrap_or_else(|| otherwise.to_owned())
}

/// Whether a file of the detected type `detected` cannot be of the type `claim`. Only known types are checked; text formats
/// never contradict each other, because their content is often ambiguous.
#[must_use]
pub fn contradicts(claim: &str, detected: &str) -> bool {
    let Some(claimed) = Format::from_mime_type(claim) else {
        return false;
    };
    let other = Format::from_mime_type(detected) != Some(claimed);
    other && !(is_text(claimed.mime_type()) && (is_text(detected) || detected == SVG))
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
    // The size of the information header follows the file size and the offset.
    let bitmap = head.starts_with(b"BM")
        && matches!(
            head.get(14..18),
            Some([12 | 40 | 52 | 56 | 64 | 108 | 124, 0, 0, 0])
        );
    bitmap.then_some(Format::Bmp)
}

/// Detects ISO base media images by their major brand [ISO/IEC 14496-12, 4.3], or by a compatible brand if the major brand is
/// common to AVIF and HEIC.
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
    // OpenDocument and EPUB packages begin with their media type, stored uncompressed.
    let opened = Format::ALL.iter().copied().find(|format| {
        let mime_type = format.mime_type();
        (*format == Format::Epub || mime_type.starts_with("application/vnd.oasis.opendocument"))
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

/// Returns the head as text if it is valid; it may end inside a character.
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

/// Returns the type of markup that a browser would render, regardless of the declared type.
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

/// Returns a media type in lower case without parameters; `None` if it is invalid.
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
        Some(Format::Doc | Format::Xls | Format::Ppt | Format::Msg)
    )
}

/// Whether a declared type is a text format, which has no signature.
fn is_text(claim: &str) -> bool {
    let known = Format::from_mime_type(claim);
    known.is_some_and(|format| format.is_plain_text() || format == Format::Json)
        || (known.is_none()
            && (claim.starts_with("text/") || claim == "application/xml")
            && !claim.contains("rtf"))
}

/// Whether a declared type is unknown, so that no signature can contradict it.
fn is_unknown(claim: &str) -> bool {
    Format::from_mime_type(claim).is_none()
        && !claim.starts_with("text/")
        && claim != SVG
        && claim != OCTET_STREAM
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(head: &[u8], claims: &[&str]) -> String {
        media_type(head, head, claims)
    }

    #[test]
    fn content_has_precedence_over_declared_types() {
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
    fn packages_are_detected_by_their_entries() {
        let open = b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x08\0\0\0mimetypeapplication/vnd.oasis.opendocument.spreadsheetPK";
        assert_eq!(of(open, &[]), Format::Ods.mime_type());
        for (part, format) in PARTS {
            let tail = [b"PK\x01\x02 ", *part, b".xml"].concat();
            let is = media_type(b"PK\x03\x04", &tail, &["application/zip"]);
            assert_eq!(is, format.mime_type());
        }
        assert_eq!(of(b"PK\x03\x04", &[]), ZIP);
        let book = String::from_utf8_lossy(open)
            .replace(Format::Ods.mime_type(), Format::Epub.mime_type());
        assert_eq!(of(book.as_bytes(), &[]), Format::Epub.mime_type());
        let other = "application/java-archive";
        assert_eq!(of(b"PK\x03\x04", &[other]), other);
        assert_eq!(of(b"PK\x03\x04", &[Format::Docx.mime_type()]), ZIP);
    }

    #[test]
    fn declared_types_apply_to_ambiguous_content() {
        assert_eq!(of(COMPOUND, &["application/msword"]), "application/msword");
        assert_eq!(of(COMPOUND, &["application/pdf"]), OCTET_STREAM);
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
            OCTET_STREAM
        );
        assert_eq!(of(b"\0\x01\x02", &["video/mp4"]), "video/mp4");
        assert_eq!(of(b"\0\x01\x02", &["image/svg+xml"]), OCTET_STREAM);
        assert_eq!(of(b"", &[]), "text/plain");
    }

    #[test]
    fn mails_are_detected_unless_they_are_declared_as_text() {
        let mail = b"Date: Wed, 2 Dec 2026 10:00:00 +0000\r\nFrom: a@b\r\nSubject: x\r\n\r\nHi\r\n";
        assert_eq!(of(mail, &[]), MAIL);
        assert_eq!(of(mail, &[MAIL, "text/plain"]), MAIL);
        assert_eq!(of(mail, &["text/plain"]), "text/plain");
        assert_eq!(of(mail, &["application/pdf"]), MAIL);
        assert_eq!(of(&[&mail[..], b"\xe9r"].concat(), &["text/plain"]), MAIL);
        assert_eq!(of(b"Some text.", &[MAIL]), "text/plain");
        assert!(contradicts(MAIL, "text/plain"));
    }

    #[test]
    fn an_impossible_declared_type_is_detected() {
        let known = [Format::Pdf, Format::Jpeg, Format::Docx, Format::Doc];
        for claim in known.map(Format::mime_type) {
            for detected in ["image/png", "text/plain", ZIP, OCTET_STREAM, SVG] {
                assert!(contradicts(claim, detected), "{claim} {detected}");
            }
            assert!(!contradicts(claim, claim));
        }
        assert!(contradicts("text/plain", "application/pdf"));
        assert!(contradicts("TEXT/HTML; charset=utf-8", "image/png"));
        for (claim, detected) in [
            ("image/jpg", "image/jpeg"),
            ("text/rtf", "application/rtf"),
            ("text/plain", "text/html"),
            ("text/markdown", "text/html"),
            ("text/html", "text/html"),
            ("application/json", "application/json"),
            ("text/plain", SVG),
            (OCTET_STREAM, "application/pdf"),
            (ZIP, Format::Docx.mime_type()),
            (
                "application/vnd.ms-word.document.macroEnabled.12",
                Format::Docx.mime_type(),
            ),
            ("video/mp4", "text/plain"),
        ] {
            assert!(!contradicts(claim, detected), "{claim} {detected}");
        }
    }
}
