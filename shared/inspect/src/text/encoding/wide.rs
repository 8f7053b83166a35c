//! UTF-32, identified by its byte order mark.

use std::io::{BufRead, Read as _};

/// Maximum number of characters that are decoded per step.
const MAX_CHARACTERS_PER_STEP: usize = 16 * 1024;

/// UTF-32, big-endian or little-endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Utf32 {
    /// Big-endian.
    BigEndian,
    /// Little-endian.
    LittleEndian,
}

impl Utf32 {
    /// Returns the byte order of the byte order mark. The little-endian one starts with that of UTF-16.
    pub(super) fn by_byte_order_mark(sample: &[u8]) -> Option<Self> {
        match sample {
            [0, 0, 0xFE, 0xFF, ..] => Some(Self::BigEndian),
            // As UTF-16, the text would start with U+0000.
            [0xFF, 0xFE, 0, 0, ..] => Some(Self::LittleEndian),
            _ => None,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::BigEndian => "UTF-32BE",
            Self::LittleEndian => "UTF-32LE",
        }
    }

    pub(super) fn by_name(name: &str) -> Option<Self> {
        [Self::BigEndian, Self::LittleEndian]
            .into_iter()
            .find(|wide| wide.name() == name)
    }

    /// Decodes in pieces, without the byte order mark. Malformed characters become U+FFFD.
    pub(super) fn decode(
        self,
        mut file: impl BufRead,
        mut take: impl FnMut(&str) -> std::io::Result<()>,
    ) -> std::io::Result<()> {
        let mut is_first = true;
        loop {
            let mut bytes = Vec::with_capacity(MAX_CHARACTERS_PER_STEP * 4);
            (&mut file)
                .take(MAX_CHARACTERS_PER_STEP as u64 * 4)
                .read_to_end(&mut bytes)?;
            if bytes.is_empty() {
                return Ok(());
            }
            let characters = bytes.chunks(4).map(|character| self.character(character));
            let skipped = usize::from(std::mem::take(&mut is_first));
            take(&characters.skip(skipped).collect::<String>())?;
        }
    }

    fn character(self, bytes: &[u8]) -> char {
        let code = bytes.try_into().ok().map(|bytes| match self {
            Self::BigEndian => u32::from_be_bytes(bytes),
            Self::LittleEndian => u32::from_le_bytes(bytes),
        });
        let character = code.and_then(char::from_u32);
        character.unwrap_or(char::REPLACEMENT_CHARACTER)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(wide: Utf32, bytes: &[u8]) -> String {
        let mut text = String::new();
        let take = |piece: &str| {
            text.push_str(piece);
            Ok(())
        };
        wide.decode(bytes, take).unwrap();
        text
    }

    #[test]
    fn characters_are_decoded_and_malformed_ones_replaced() {
        let text = "\u{feff}aü€😀".repeat(MAX_CHARACTERS_PER_STEP);
        let low: Vec<u8> = text
            .chars()
            .flat_map(|c| u32::from(c).to_le_bytes())
            .collect();
        let high: Vec<u8> = text
            .chars()
            .flat_map(|c| u32::from(c).to_be_bytes())
            .collect();
        let expected = text.strip_prefix('\u{feff}').unwrap();
        assert_eq!(
            decoded(Utf32::by_byte_order_mark(&low).unwrap(), &low),
            expected
        );
        assert_eq!(
            decoded(Utf32::by_byte_order_mark(&high).unwrap(), &high),
            expected
        );
        let broken = b"\xff\xfe\0\0\0\xd8\0\0a\0\0\0b\0";
        assert_eq!(decoded(Utf32::LittleEndian, broken), "\u{fffd}a\u{fffd}");
    }
}
