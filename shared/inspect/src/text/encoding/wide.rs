//! UTF-32: four bytes a character, known by its byte order mark.

use std::io::{BufRead, Read as _};

/// Characters that are decoded at once.
const PIECE: usize = 16 * 1024;

/// UTF-32, with the high or the low byte first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Wide {
    /// The high one.
    High,
    /// The low one.
    Low,
}

impl Wide {
    /// The order that a byte order mark tells; the low one first begins as that of UTF-16 does.
    pub(super) fn marked(sample: &[u8]) -> Option<Self> {
        match sample {
            [0, 0, 0xFE, 0xFF, ..] => Some(Self::High),
            // Of UTF-16 it would be a text that begins with a zero.
            [0xFF, 0xFE, 0, 0, ..] => Some(Self::Low),
            _ => None,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::High => "UTF-32BE",
            Self::Low => "UTF-32LE",
        }
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        [Self::High, Self::Low]
            .into_iter()
            .find(|wide| wide.name() == name)
    }

    /// Decodes piece by piece, without the mark; what cannot be decoded becomes U+FFFD.
    pub(super) fn decode(
        self,
        mut file: impl BufRead,
        mut take: impl FnMut(&str) -> std::io::Result<()>,
    ) -> std::io::Result<()> {
        let mut is_first = true;
        loop {
            let mut bytes = Vec::with_capacity(PIECE * 4);
            (&mut file).take(PIECE as u64 * 4).read_to_end(&mut bytes)?;
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
            Self::High => u32::from_be_bytes(bytes),
            Self::Low => u32::from_le_bytes(bytes),
        });
        let character = code.and_then(char::from_u32);
        character.unwrap_or(char::REPLACEMENT_CHARACTER)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(wide: Wide, bytes: &[u8]) -> String {
        let mut text = String::new();
        let take = |piece: &str| {
            text.push_str(piece);
            Ok(())
        };
        wide.decode(bytes, take).unwrap();
        text
    }

    #[test]
    fn every_character_is_decoded_and_what_is_none_told() {
        let text = "\u{feff}aü€😀".repeat(PIECE);
        let low: Vec<u8> = text
            .chars()
            .flat_map(|c| u32::from(c).to_le_bytes())
            .collect();
        let high: Vec<u8> = text
            .chars()
            .flat_map(|c| u32::from(c).to_be_bytes())
            .collect();
        let expected = text.strip_prefix('\u{feff}').unwrap();
        assert_eq!(decoded(Wide::marked(&low).unwrap(), &low), expected);
        assert_eq!(decoded(Wide::marked(&high).unwrap(), &high), expected);
        let broken = b"\xff\xfe\0\0\0\xd8\0\0a\0\0\0b\0";
        assert_eq!(decoded(Wide::Low, broken), "\u{fffd}a\u{fffd}");
    }
}
