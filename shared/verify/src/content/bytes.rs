//! Reads little-endian numbers of binary formats at positions that may be outside the data.

/// Data of a binary format.
pub(super) trait Bytes {
    /// The bytes from `start`; `None` if there are fewer than `len`.
    fn span(&self, start: usize, len: usize) -> Option<&[u8]>;

    /// The byte at a position.
    fn u8_at(&self, position: usize) -> Option<u8> {
        self.span(position, 1)?.first().copied()
    }

    /// The number in the two bytes from a position.
    fn u16_at(&self, position: usize) -> Option<u16> {
        Some(u16::from_le_bytes(self.span(position, 2)?.try_into().ok()?))
    }

    /// The number in the four bytes from a position.
    fn u32_at(&self, position: usize) -> Option<u32> {
        Some(u32::from_le_bytes(self.span(position, 4)?.try_into().ok()?))
    }

    /// The offset or length in the four bytes from a position.
    fn usize_at(&self, position: usize) -> Option<usize> {
        usize::try_from(self.u32_at(position)?).ok()
    }
}

impl Bytes for [u8] {
    fn span(&self, start: usize, len: usize) -> Option<&[u8]> {
        self.get(start..start.checked_add(len)?)
    }
}

/// Decodes UTF-16; what is not UTF-16 is omitted.
pub(super) fn utf16(bytes: &[u8]) -> impl Iterator<Item = char> {
    let units = bytes.chunks_exact(2);
    let units = units.map(|unit| unit.try_into().map_or(0, u16::from_le_bytes));
    char::decode_utf16(units).flatten()
}
