//! Iterates over the records of a part [MS-XLSB, 2.1.4].

use crate::content::bytes::{Bytes as _, utf16};

/// The records of a part: type and content.
pub(super) fn records(mut part: &[u8]) -> impl Iterator<Item = (u16, &[u8])> {
    std::iter::from_fn(move || {
        let (kind, rest) = variable(part, 2)?;
        let (len, rest) = variable(rest, 4)?;
        let (data, following) = rest.split_at_checked(len)?;
        part = following;
        Some((u16::try_from(kind).ok()?, data))
    })
}

/// Reads a number of 7 bits a byte, the type of a record with the bits that continue it.
fn variable(bytes: &[u8], max_bytes: usize) -> Option<(usize, &[u8])> {
    let mut number = 0;
    for index in 0..max_bytes {
        let byte = bytes.u8_at(index)?;
        number |= usize::from(byte & 0x7f) << (7 * index);
        if byte & 0x80 == 0 {
            return Some((number, bytes.get(index + 1..)?));
        }
    }
    None
}

/// Reads a string, and the number of bytes that it has.
pub(super) fn wide_string(data: &[u8], position: usize) -> Option<(String, usize)> {
    let len = data.usize_at(position)?.checked_mul(2)?;
    let text = data.span(position.checked_add(4)?, len)?;
    Some((utf16(text).collect(), 4 + len))
}
