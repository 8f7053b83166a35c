//! Encodings of content and of words in headers [RFC 2045, 6; RFC 2047; RFC 2231].

use encoding_rs::Encoding;
use percent_encoding::percent_decode_str;

use crate::content::text::ascii_words;

/// Decodes base64; other characters are skipped.
pub(super) fn base64(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0);
    for byte in text {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => continue,
        };
        bits = bits << 6 | u32::from(value);
        count += 1;
        if count == 4 {
            let [_, decoded @ ..] = bits.to_be_bytes();
            bytes.extend(decoded);
            (bits, count) = (0, 0);
        }
    }
    let [_, first, second, _] = (bits << (6 * (4 - count))).to_be_bytes();
    match count {
        2 => bytes.push(first),
        3 => bytes.extend([first, second]),
        _ => {}
    }
    bytes
}

/// Decodes quoted-printable text; in words of headers, `_` is a space.
pub(super) fn quoted_printable(text: &[u8], is_word: bool) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((first, behind)) = rest.split_first() {
        rest = behind;
        match first {
            b'=' => {
                let digits = behind
                    .get(..2)
                    .and_then(|digits| std::str::from_utf8(digits).ok());
                let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
                if let Some(byte) = byte {
                    bytes.push(byte);
                    rest = behind.get(2..).unwrap_or_default();
                    continue;
                }
                // A line that goes on; spaces may follow.
                let end = behind.iter().position(|byte| *byte == b'\n');
                let tail = end.and_then(|end| behind.get(..end));
                match (end, tail) {
                    (Some(end), Some(tail)) if tail.trim_ascii().is_empty() => {
                        rest = behind.get(end + 1..).unwrap_or_default();
                    }
                    _ => bytes.push(b'='),
                }
            }
            b'_' if is_word => bytes.push(b' '),
            other => bytes.push(*other),
        }
    }
    bytes
}

/// Decodes text. Words with other letters than ASCII are omitted if the character set is unknown or UTF-7 [RFC 2152].
pub(super) fn text(bytes: &[u8], charset: Option<&str>) -> String {
    if charset.is_some_and(|label| label.trim().to_ascii_lowercase().ends_with("utf-7")) {
        let text = ascii_words(bytes);
        let words = text.split_inclusive(char::is_whitespace);
        return words.filter(|word| !word.contains('+')).collect();
    }
    let encoding = charset.and_then(|label| Encoding::for_label(label.trim().as_bytes()));
    match (encoding, std::str::from_utf8(bytes)) {
        (Some(encoding), _) => encoding.decode_without_bom_handling(bytes).0.into_owned(),
        (None, Ok(text)) => text.to_owned(),
        (None, Err(_)) => ascii_words(bytes),
    }
}

/// Decodes the words of a field that are in other character sets.
pub(super) fn header_text(value: &[u8]) -> String {
    let value = text(value, None);
    let mut decoded = String::new();
    let mut rest = value.as_str();
    let mut is_after_word = false;
    while let Some((before, behind)) = rest.split_once("=?") {
        let word = encoded_word(behind);
        // Space between encoded words is not part of the text.
        if !(is_after_word && word.is_some() && before.trim().is_empty()) {
            decoded.push_str(before);
        }
        is_after_word = word.is_some();
        match word {
            Some((text, behind)) => {
                decoded.push_str(&text);
                rest = behind;
            }
            None => {
                decoded.push_str("=?");
                rest = behind;
            }
        }
    }
    decoded.push_str(rest);
    decoded
}

/// The text of an encoded word after its start, and what follows it.
fn encoded_word(word: &str) -> Option<(String, &str)> {
    let (charset, rest) = word.split_once('?')?;
    let (encoding, rest) = rest.split_once('?')?;
    let (content, rest) = rest.split_once("?=")?;
    let bytes = match encoding {
        "B" | "b" => base64(content.as_bytes()),
        "Q" | "q" => quoted_printable(content.as_bytes(), true),
        _ => return None,
    };
    let charset = charset.split('*').next();
    Some((text(&bytes, charset), rest))
}

/// A parameter of a field: its value, the start of an extended one, or the first section of one.
pub(super) fn parameter(field: &str, name: &str) -> Option<String> {
    let mut rest = field.split_once(';')?.1;
    loop {
        let (key, behind) = rest.split_once('=')?;
        let behind = behind.trim_start();
        let (value, behind) = match behind.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => behind.split_once(';').unwrap_or((behind, "")),
        };
        rest = behind;
        let key = key.trim_matches([';', ' ', '\t']);
        let (start, extension) = key.split_at_checked(name.len()).unwrap_or((key, ""));
        if !start.eq_ignore_ascii_case(name) {
            continue;
        }
        match extension {
            "" => return Some(value.trim().to_owned()),
            "*" => {
                let (charset, value) = value.split_once('\'')?;
                let value = value.split_once('\'')?.1;
                let bytes: Vec<u8> = percent_decode_str(value.trim()).collect();
                return Some(text(&bytes, Some(charset)));
            }
            _ => {}
        }
    }
}
