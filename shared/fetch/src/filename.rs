//! The filename of a fetched document: from `Content-Disposition`, else from the last segment of the path.

use domain::filename::{Filename, MAX_LENGTH};
use http::HeaderMap;
use http::header::CONTENT_DISPOSITION;
use percent_encoding::percent_decode_str;
use url::Url;

/// The sanitized filename, truncated to [`MAX_LENGTH`]; `None` if neither header nor path has one.
pub(crate) fn filename(headers: &HeaderMap, url: &Url) -> Option<Filename> {
    headers
        .get(CONTENT_DISPOSITION)
        .and_then(|header| from_disposition(&text(header.as_bytes())))
        .or_else(|| from_path(url))
}

/// Prefers `filename*` to `filename` [RFC 6266, section 4.3].
fn from_disposition(header: &str) -> Option<Filename> {
    let parameters = parameters(header);
    let named = |wanted: &str| {
        let found = parameters.iter().find(|(name, _)| name == wanted);
        found.map(|(_, value)| value.as_str())
    };
    named("filename*")
        .and_then(decode_extended)
        .and_then(|name| sanitized(&name))
        .or_else(|| named("filename").and_then(sanitized))
}

/// The last segment of the path.
pub(crate) fn from_path(url: &Url) -> Option<Filename> {
    let last = url.path_segments()?.next_back()?;
    sanitized(&percent_decode_str(last).decode_utf8_lossy())
}

/// Sanitizes the name. If it is too long, the stem is truncated and the extension kept.
fn sanitized(name: &str) -> Option<Filename> {
    let short: String = name.chars().take(MAX_LENGTH).collect();
    let filename = Filename::try_from(short).ok()?;
    match name.rsplit_once('.') {
        Some((_, extension)) if name.chars().count() > MAX_LENGTH && extension.len() <= 8 => {
            Some(filename.with_extension(extension))
        }
        _ => Some(filename),
    }
}

/// Decodes `charset'language'percent-encoded`, with UTF-8 or ISO-8859-1 [RFC 8187, section 3.2].
fn decode_extended(value: &str) -> Option<String> {
    let (charset, rest) = value.split_once('\'')?;
    let (_language, encoded) = rest.split_once('\'')?;
    let bytes: Vec<u8> = percent_decode_str(encoded).collect();
    match charset.to_ascii_lowercase().as_str() {
        "utf-8" => String::from_utf8(bytes).ok(),
        "iso-8859-1" => Some(latin1(&bytes)),
        _ => None,
    }
}

/// The parameters of the header, in order: names in lower case, values unquoted.
fn parameters(header: &str) -> Vec<(String, String)> {
    let parts = split_outside_quotes(header);
    let pair = |part: &String| {
        let (name, value) = part.split_once('=')?;
        Some((name.trim().to_ascii_lowercase(), unquoted(value.trim())))
    };
    parts.iter().skip(1).filter_map(pair).collect()
}

fn split_outside_quotes(header: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let (mut quoted, mut escaped) = (false, false);
    for letter in header.chars() {
        if letter == ';' && !quoted {
            parts.push(String::new());
            continue;
        }
        quoted ^= letter == '"' && !escaped;
        escaped = quoted && letter == '\\' && !escaped;
        if let Some(part) = parts.last_mut() {
            part.push(letter);
        }
    }
    parts
}

/// Unescapes only `\"` and `\\`, because Windows servers send paths with unescaped backslashes.
fn unquoted(value: &str) -> String {
    let inner = value
        .strip_prefix('"')
        .map(|rest| rest.strip_suffix('"').unwrap_or(rest));
    inner.map_or_else(
        || value.to_owned(),
        |inner| inner.replace("\\\"", "\"").replace("\\\\", "\\"),
    )
}

/// Decodes header bytes as UTF-8, or as Latin-1 (older servers) if they are not UTF-8.
fn text(bytes: &[u8]) -> String {
    std::str::from_utf8(bytes).map_or_else(|_| latin1(bytes), str::to_owned)
}

fn latin1(bytes: &[u8]) -> String {
    bytes.iter().copied().map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use super::filename;
    use crate::policy::Policy;
    use http::{HeaderMap, HeaderValue};

    fn name(disposition: Option<&[u8]>, url: &str) -> Option<String> {
        let policy = Policy::https(Vec::new(), "".parse().unwrap());
        let mut headers = HeaderMap::new();
        if let Some(bytes) = disposition {
            let value = HeaderValue::from_bytes(bytes).unwrap();
            headers.insert("content-disposition", value);
        }
        filename(&headers, policy.admit(url).unwrap().url()).map(String::from)
    }

    fn from_header(disposition: &str) -> Option<String> {
        name(Some(disposition.as_bytes()), "https://example.com/path.bin")
    }

    #[test]
    fn content_disposition_takes_precedence_over_the_path() {
        for (header, expected) in [
            ("attachment; filename=\"report.pdf\"", "report.pdf"),
            ("attachment; filename=report.pdf", "report.pdf"),
            ("inline;FileName = \"a;b.pdf\" ; size=3", "a;b.pdf"),
            (
                "attachment; filename=\"say \\\"hi\\\".txt\"",
                "say \"hi\".txt",
            ),
            ("attachment; filename=\"C:\\docs\\q.docx\"", "q.docx"),
            ("attachment; filename=\"../../etc/passwd\"", "passwd"),
            ("attachment; filename=\"open.pdf", "open.pdf"),
            (
                "attachment; filename=\"plain.txt\"; filename*=UTF-8''%C3%BCber%20alles.txt",
                "über alles.txt",
            ),
            (
                "attachment; filename*=iso-8859-1'en'%A3%20rates.pdf; filename=x.pdf",
                "£ rates.pdf",
            ),
            (
                "attachment; filename*=UTF-8''%FF.txt; filename=fallback.txt",
                "fallback.txt",
            ),
            (
                "attachment; filename*=koi8-r''%C1.txt; filename=fallback.txt",
                "fallback.txt",
            ),
            (
                "attachment; filename*=UTF-8''..%2F..%2Fetc%2Fshadow",
                "shadow",
            ),
            ("attachment; filename*=UTF-8''a%0d%0ab.txt", "ab.txt"),
            ("attachment", "path.bin"),
            ("attachment; filename=\"\"", "path.bin"),
            ("attachment; filename=\"..\"", "path.bin"),
            ("attachment; x=\"a\\\"; filename=no.txt; \"", "path.bin"),
        ] {
            assert_eq!(from_header(header).as_deref(), Some(expected), "{header}");
        }
    }

    #[test]
    fn header_bytes_are_decoded_as_utf8_or_latin1() {
        let url = "https://example.com/";
        let utf8 = "attachment; filename=\"ü.pdf\"".as_bytes();
        assert_eq!(name(Some(utf8), url).as_deref(), Some("ü.pdf"));
        let latin1 = b"attachment; filename=\"\xfc.pdf\"";
        assert_eq!(name(Some(latin1), url).as_deref(), Some("ü.pdf"));
    }

    #[test]
    fn the_last_path_segment_is_the_fallback() {
        for (url, expected) in [
            (
                "https://example.com/a/b%20c.pdf?q=/d.txt#/e.txt",
                Some("b c.pdf"),
            ),
            ("https://example.com/a/..%2F..%2Fpasswd", Some("passwd")),
            ("https://example.com/%E2%80%AEfdp.exe", Some("fdp.exe")),
            ("https://example.com/%FFx.pdf", Some("\u{fffd}x.pdf")),
            ("https://example.com/a/", None),
            ("https://example.com", None),
            ("https://example.com/%2e%2e%2f", None),
        ] {
            assert_eq!(name(None, url).as_deref(), expected, "{url}");
        }
    }

    #[test]
    fn a_long_name_keeps_its_extension() {
        let long = from_header(&format!(
            "attachment; filename=\"{}.docx\"",
            "ä".repeat(400)
        ))
        .unwrap();
        assert_eq!(long.chars().count(), 255);
        assert!(long.ends_with("ää.docx"), "{long}");
    }
}
