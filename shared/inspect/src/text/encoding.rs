//! Detects the encoding of a text and decodes it in pieces.

mod wide;

use std::fs::File;
use std::io::{BufReader, ErrorKind, Read as _};
use std::path::Path;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{CoderResult, Decoder, Encoding, UTF_8, UTF_16BE, UTF_16LE};
use task::TaskResult;

pub(super) use self::wide::Utf32;

/// Size of a piece in bytes.
const CHUNK: usize = 64 * 1024;
/// Size of the sample for detection, in bytes.
const SAMPLE: u64 = 1024 * 1024;

/// A text encoding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum TextEncoding {
    /// An encoding of the WHATWG Encoding Standard.
    Standard(&'static Encoding),
    /// UTF-32, which is not in that standard.
    Utf32(Utf32),
}

impl TextEncoding {
    /// Returns the name, which [`TextEncoding::by_name`] accepts.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Standard(encoding) => encoding.name(),
            Self::Utf32(wide) => wide.name(),
        }
    }

    /// Returns the encoding with a name; UTF-8 if it is unknown.
    pub(super) fn by_name(name: &str) -> Self {
        match Utf32::by_name(name) {
            Some(wide) => Self::Utf32(wide),
            None => Self::Standard(Encoding::for_label(name.as_bytes()).unwrap_or(UTF_8)),
        }
    }
}

/// Detects the encoding: by byte order mark, by valid UTF-8, or statistically from the sample.
pub(super) fn detect(path: &Path) -> std::io::Result<TextEncoding> {
    let mut sample = Vec::new();
    File::open(path)?.take(SAMPLE).read_to_end(&mut sample)?;
    Ok(match Utf32::by_byte_order_mark(&sample) {
        Some(wide) => TextEncoding::Utf32(wide),
        None => TextEncoding::Standard(detect_standard(&sample)),
    })
}

fn detect_standard(sample: &[u8]) -> &'static Encoding {
    if let Some((encoding, _)) = Encoding::for_bom(sample) {
        return encoding;
    }
    if let Some(encoding) = utf16_without_bom(sample) {
        return encoding;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(sample, true);
    detector.guess(None, Utf8Detection::Allow)
}

/// Latin text in UTF-16 has a zero in every other byte.
fn utf16_without_bom(sample: &[u8]) -> Option<&'static Encoding> {
    let zeros = |parity: usize| {
        let bytes = sample.iter().skip(parity).step_by(2);
        bytes.filter(|byte| **byte == 0).count()
    };
    let (even, odd) = (zeros(0), zeros(1));
    let most = sample.len() * 2 / 5;
    match (even, odd) {
        (0, odd) if odd > most => Some(UTF_16LE),
        (even, 0) if even > most => Some(UTF_16BE),
        _ => None,
    }
}

/// Decodes a file in pieces. Malformed sequences become U+FFFD.
pub(super) fn decode(
    path: &Path,
    coding: TextEncoding,
    mut take: impl FnMut(&str) -> std::io::Result<()>,
) -> TaskResult<()> {
    let mut file = File::open(path)?;
    let encoding = match coding {
        TextEncoding::Standard(encoding) => encoding,
        TextEncoding::Utf32(wide) => return Ok(wide.decode(BufReader::new(file), take)?),
    };
    let mut decoder = encoding.new_decoder_with_bom_removal();
    let mut chunk = vec![0; CHUNK];
    loop {
        let count = match file.read(&mut chunk) {
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error.into()),
        };
        let bytes = chunk.get(..count).unwrap_or_default();
        decode_piece(&mut decoder, bytes, count == 0, &mut take)?;
        if count == 0 {
            return Ok(());
        }
    }
}

fn decode_piece(
    decoder: &mut Decoder,
    mut bytes: &[u8],
    last: bool,
    take: &mut impl FnMut(&str) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let mut piece = String::with_capacity(CHUNK);
    loop {
        piece.clear();
        let (result, read, _) = decoder.decode_to_string(bytes, &mut piece, last);
        take(&piece)?;
        bytes = bytes.get(read..).unwrap_or_default();
        if result == CoderResult::InputEmpty {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_detected() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("text");
        let utf16: Vec<u8> = "plain words"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        let cases: [(&[u8], &str); 8] = [
            (b"plain", "UTF-8"),
            ("Gr\u{fc}\u{df}e".as_bytes(), "UTF-8"),
            (b"\xff\xfea\0b\0", "UTF-16LE"),
            (&utf16, "UTF-16LE"),
            (b"\xff\xfe\0\0a\0\0\0", "UTF-32LE"),
            (b"\0\0\xfe\xff\0\0\0a", "UTF-32BE"),
            (b"Gr\xfc\xdfe aus K\xf6ln, sch\xf6n und gut", "windows-1252"),
            (
                b"\x93\xfa\x96{\x8c\xea\x82\xcc\x83e\x83L\x83X\x83g",
                "Shift_JIS",
            ),
        ];
        for (bytes, expected) in cases {
            std::fs::write(&path, bytes).unwrap();
            let found = detect(&path).unwrap();
            assert_eq!(found.name(), expected);
            assert_eq!(TextEncoding::by_name(expected), found);
        }
    }
}
