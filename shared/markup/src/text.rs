//! Decodes text whose encoding is undeclared or declared by the document.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use crate::error::{MarkupError, Result};

/// Number of bytes from which the encoding is detected.
const SAMPLE: usize = 1024 * 1024;

/// Decodes text: by byte order mark, then as UTF-8 if valid, then by the declared encoding, then by detection.
pub(crate) fn decode(bytes: Vec<u8>, declared: Option<&'static Encoding>) -> Result<String> {
    let text = match Encoding::for_bom(&bytes) {
        Some((encoding, _)) => encoding.decode(&bytes).0.into_owned(),
        None => text(bytes, declared),
    };
    check(&text)?;
    Ok(text)
}

/// Decodes text without a byte order mark. UTF-8 is reused without a copy, because the text may be large.
fn text(bytes: Vec<u8>, declared: Option<&'static Encoding>) -> String {
    let encoding = found(&bytes, declared);
    let decoded = |bytes: &[u8]| encoding.decode_without_bom_handling(bytes).0.into_owned();
    if encoding != UTF_8 {
        return decoded(&bytes);
    }
    String::from_utf8(bytes).unwrap_or_else(|error| decoded(error.as_bytes()))
}

fn found(bytes: &[u8], declared: Option<&'static Encoding>) -> &'static Encoding {
    if let Some(wide) = wide(bytes) {
        return wide;
    }
    if std::str::from_utf8(bytes).is_ok() {
        return UTF_8;
    }
    declared.unwrap_or_else(|| guess(bytes))
}

/// Detects UTF-16 without a byte order mark: every other of the first bytes is zero.
fn wide(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes.get(..bytes.len().min(64) & !1)?;
    let zeros = |odd: usize| {
        head.iter()
            .skip(odd)
            .step_by(2)
            .filter(|byte| **byte == 0)
            .count()
    };
    let half = head.len() / 2;
    match (zeros(0), zeros(1)) {
        (0, odd) if half > 1 && odd * 4 > half * 3 => Some(UTF_16LE),
        (even, 0) if half > 1 && even * 4 > half * 3 => Some(UTF_16BE),
        _ => None,
    }
}

fn guess(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    let sample = bytes.get(..SAMPLE).unwrap_or(bytes);
    detector.feed(sample, true);
    detector.guess(None, Utf8Detection::Allow)
}

/// Rejects binary data.
fn check(text: &str) -> Result {
    let (mut characters, mut controls) = (0_usize, 0_usize);
    for character in text.chars() {
        characters += 1;
        controls += usize::from(matches!(character, '\0'..='\u{8}' | '\u{e}'..='\u{1a}'));
    }
    match characters {
        0 => Err(MarkupError::Empty),
        _ if controls * 100 > characters => Err(MarkupError::Mismatch),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{SHIFT_JIS, WINDOWS_1252};

    #[test]
    fn text_is_read_in_its_encoding() {
        let read = |bytes: &[u8], declared| decode(bytes.to_vec(), declared).ok();
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(
            read("\u{e9}t\u{e9}".as_bytes(), Some(WINDOWS_1252)),
            some("été")
        );
        assert_eq!(read(b"\xff\xfea\0\xe9\0", None), some("aé"));
        assert_eq!(read(b"a\0b\0c\0,\0", None), some("abc,"));
        assert_eq!(
            read(b"na\xefve r\xe9sum\xe9 \x80", Some(WINDOWS_1252)),
            some("naïve résumé €")
        );
        let (shifted, _, _) = SHIFT_JIS.encode("日本語の文字コードを調べる");
        assert_eq!(read(&shifted, None), some("日本語の文字コードを調べる"));
    }

    #[test]
    fn binary_data_is_rejected() {
        assert!(matches!(
            decode(vec![1, 2, 3, 4, 5, 6], None),
            Err(MarkupError::Mismatch)
        ));
        assert!(matches!(decode(Vec::new(), None), Err(MarkupError::Empty)));
    }
}
