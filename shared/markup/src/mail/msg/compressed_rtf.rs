//! Decompresses RTF [MS-OXRTFCP].

use crate::error::{MarkupError, Result};

/// `COMPTYPE` of compressed data (`LZFu`) and of data that is stored (`MELA`).
const COMPRESSED: u32 = 0x7546_5a4c;
const STORED: u32 = 0x414c_454d;

const DAMAGED: MarkupError = MarkupError::Corrupt("its rich text cannot be decompressed");

/// The start of the dictionary.
const INITIAL: &[u8] = b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx";

/// Size of the dictionary.
const DICTIONARY: usize = 4096;

/// Returns the RTF in a property, of at most `most` bytes.
pub(super) fn decompressed(bytes: &[u8], most: u64) -> Result<Vec<u8>> {
    let word = |index: usize| {
        let word = bytes.get(4 * index..).and_then(<[u8]>::first_chunk::<4>);
        word.copied().map(u32::from_le_bytes).ok_or(DAMAGED)
    };
    let (size, kind) = (word(1)?, word(2)?);
    if u64::from(size) > most {
        return Err(MarkupError::TooLarge("the rich text is too large"));
    }
    let size = usize::try_from(size).map_err(|_| DAMAGED)?;
    let content = bytes.get(16..).unwrap_or_default();
    match kind {
        STORED => Ok(content.get(..size).unwrap_or(content).to_vec()),
        COMPRESSED => decompress(content, size),
        _ => Err(DAMAGED),
    }
}

/// Decompresses runs of eight literals or references into the dictionary, up to the reference to its end.
fn decompress(content: &[u8], size: usize) -> Result<Vec<u8>> {
    let mut dictionary = [b' '; DICTIONARY];
    for (slot, byte) in dictionary.iter_mut().zip(INITIAL) {
        *slot = *byte;
    }
    let mut end = INITIAL.len();
    let mut output = Vec::new();
    let mut input = content.iter().copied();
    'runs: while output.len() < size {
        let Some(flags) = input.next() else { break };
        for bit in 0..8 {
            let Some(first) = input.next() else {
                break 'runs;
            };
            if flags >> bit & 1 == 0 {
                put(&mut dictionary, &mut end, &mut output, first);
                continue;
            }
            let second = input.next().ok_or(DAMAGED)?;
            let reference = u16::from_be_bytes([first, second]);
            let (offset, length) = (usize::from(reference >> 4), usize::from(reference & 15) + 2);
            if offset == end {
                break 'runs;
            }
            for index in offset..offset + length {
                let byte = *dictionary.get(index % DICTIONARY).ok_or(DAMAGED)?;
                put(&mut dictionary, &mut end, &mut output, byte);
            }
        }
    }
    output.truncate(size);
    match output.is_empty() {
        true => Err(DAMAGED),
        false => Ok(output),
    }
}

fn put(dictionary: &mut [u8; DICTIONARY], end: &mut usize, output: &mut Vec<u8>, byte: u8) {
    output.push(byte);
    if let Some(slot) = dictionary.get_mut(*end) {
        *slot = byte;
    }
    *end = (*end + 1) % DICTIONARY;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_specification_are_decompressed() {
        // [MS-OXRTFCP, 3.1.1 and 3.2.1]
        let simple = [
            0x2d, 0, 0, 0, 0x2b, 0, 0, 0, 0x4c, 0x5a, 0x46, 0x75, 0xf1, 0xc5, 0xc7, 0xa7, 0x03, 0,
            0x0a, 0, 0x72, 0x63, 0x70, 0x67, 0x31, 0x32, 0x35, 0x42, 0x32, 0x0a, 0xf3, 0x20, 0x68,
            0x65, 0x6c, 0x09, 0, 0x20, 0x62, 0x77, 0x05, 0xb0, 0x6c, 0x64, 0x7d, 0x0a, 0x80, 0x0f,
            0xa0,
        ];
        let text = decompressed(&simple, 1_000).unwrap();
        assert_eq!(text, b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n");
        let crossing = [
            0x1a, 0, 0, 0, 0x1c, 0, 0, 0, 0x4c, 0x5a, 0x46, 0x75, 0xe2, 0xd4, 0x4b, 0x51, 0x41, 0,
            0x04, 0x20, 0x57, 0x58, 0x59, 0x5a, 0x0d, 0x6e, 0x7d, 0x01, 0x0e, 0xb0,
        ];
        let text = decompressed(&crossing, 1_000).unwrap();
        assert_eq!(text, b"{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}");
    }

    #[test]
    fn damaged_and_large_data_is_rejected() {
        let header = |size: u32, kind: u32| {
            [
                &[0; 4][..],
                &size.to_le_bytes(),
                &kind.to_le_bytes(),
                &[0; 4],
            ]
            .concat()
        };
        let of = |size, kind, content: &[u8]| {
            decompressed(&[&header(size, kind), content].concat(), 100)
        };
        assert_eq!(of(3, STORED, b"abc").unwrap(), b"abc");
        assert!(matches!(of(3, 7, b"abc"), Err(MarkupError::Corrupt(_))));
        assert!(matches!(
            of(3, COMPRESSED, b""),
            Err(MarkupError::Corrupt(_))
        ));
        assert!(matches!(
            of(3, COMPRESSED, b"\xff\0"),
            Err(MarkupError::Corrupt(_))
        ));
        assert!(matches!(
            of(101, STORED, b""),
            Err(MarkupError::TooLarge(_))
        ));
        assert!(matches!(
            decompressed(b"abc", 100),
            Err(MarkupError::Corrupt(_))
        ));
    }
}
