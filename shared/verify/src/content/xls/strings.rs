//! Reads strings that may continue in further records [MS-XLS, 2.5.293 and 2.5.294].

use crate::content::bytes::Bytes as _;

/// Reads the content of a record and its continuations.
pub(super) struct StringReader<'a, 'r> {
    parts: &'r [&'a [u8]],
    /// Position in the first of the parts.
    position: usize,
}

const IS_WIDE: u8 = 1;
const HAS_PHONETICS: u8 = 1 << 2;
const HAS_FORMATS: u8 = 1 << 3;

impl<'a, 'r> StringReader<'a, 'r> {
    pub(super) fn new(parts: &'r [&'a [u8]], position: usize) -> Self {
        Self { parts, position }
    }

    /// Reads a string with its length in two bytes, and skips its formats and phonetics.
    pub(super) fn string(&mut self) -> Option<String> {
        let len = self.u16()?;
        self.characters_with_flags(len)
    }

    /// Reads a string with its length in one byte.
    pub(super) fn short_string(&mut self) -> Option<String> {
        let len = self.u8()?;
        self.characters_with_flags(len.into())
    }

    fn characters_with_flags(&mut self, len: u16) -> Option<String> {
        let flags = self.u8()?;
        let formats = match flags & HAS_FORMATS {
            0 => 0,
            _ => 4 * usize::from(self.u16()?),
        };
        let phonetics = match flags & HAS_PHONETICS {
            0 => 0,
            _ => usize::from(self.u16()?) + (usize::from(self.u16()?) << 16),
        };
        let text = self.characters(len.into(), flags)?;
        self.skip(formats.checked_add(phonetics)?)?;
        Some(text)
    }

    /// Reads characters. Each continuation has new flags.
    pub(super) fn characters(&mut self, mut left: usize, mut flags: u8) -> Option<String> {
        let mut units: Vec<u16> = Vec::new();
        loop {
            let rest = self.parts.first()?.get(self.position..)?;
            let width = if flags & IS_WIDE == 0 { 1 } else { 2 };
            let count = left.min(rest.len() / width);
            let bytes = rest.get(..count * width)?.chunks_exact(width);
            units.extend(bytes.filter_map(|unit| match width {
                1 => unit.u8_at(0).map(u16::from),
                _ => unit.u16_at(0),
            }));
            self.position += count * width;
            left -= count;
            if left == 0 {
                return Some(char::decode_utf16(units).flatten().collect());
            }
            self.next_part()?;
            flags = self.u8()?;
        }
    }

    /// Continues with the next continuation.
    pub(super) fn next_part(&mut self) -> Option<()> {
        self.parts = self.parts.get(1..)?;
        self.position = 0;
        Some(())
    }

    pub(super) fn u8(&mut self) -> Option<u8> {
        loop {
            if let Some(byte) = self.parts.first()?.u8_at(self.position) {
                self.position += 1;
                return Some(byte);
            }
            self.next_part()?;
        }
    }

    fn u16(&mut self) -> Option<u16> {
        Some(u16::from_le_bytes([self.u8()?, self.u8()?]))
    }

    pub(super) fn skip(&mut self, mut count: usize) -> Option<()> {
        loop {
            let rest = self.parts.first()?.len().checked_sub(self.position)?;
            if count <= rest {
                self.position += count;
                return Some(());
            }
            count -= rest;
            self.next_part()?;
        }
    }
}

/// The shared strings, one after the other.
#[derive(Default)]
pub(super) struct SharedStrings {
    text: String,
    ends: Vec<usize>,
}

impl SharedStrings {
    /// Reads the strings that there are; their declared number may be wrong.
    pub(super) fn read(parts: &[&[u8]]) -> Self {
        let mut strings = Self::default();
        let mut reader = StringReader::new(parts, 8);
        while let Some(text) = reader.string() {
            strings.text.push_str(&text);
            strings.ends.push(strings.text.len());
        }
        strings
    }

    /// The string at an index.
    pub(super) fn get(&self, index: usize) -> Option<&str> {
        let start = match index.checked_sub(1) {
            Some(last) => *self.ends.get(last)?,
            None => 0,
        };
        self.text.get(start..*self.ends.get(index)?)
    }
}
