//! Little-endian numbers and UTF-16 strings in records.

use encoding_rs::UTF_16LE;

pub(super) fn u16_at(bytes: &[u8], offset: usize) -> Option<u16> {
    let bytes = bytes.get(offset..offset.checked_add(2)?)?;
    Some(u16::from_le_bytes(bytes.try_into().ok()?))
}

pub(super) fn u32_at(bytes: &[u8], offset: usize) -> Option<u32> {
    let bytes = bytes.get(offset..offset.checked_add(4)?)?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}

/// Returns a count or index.
pub(super) fn index_at(bytes: &[u8], offset: usize) -> Option<usize> {
    usize::try_from(u32_at(bytes, offset)?).ok()
}

pub(super) fn f64_at(bytes: &[u8], offset: usize) -> Option<f64> {
    let bytes = bytes.get(offset..offset.checked_add(8)?)?;
    Some(f64::from_le_bytes(bytes.try_into().ok()?))
}

/// Returns a UTF-16 string of `count` code units.
pub(super) fn wide_text(bytes: &[u8], offset: usize, count: usize) -> Option<String> {
    let end = offset.checked_add(count.checked_mul(2)?)?;
    let (text, _) = UTF_16LE.decode_without_bom_handling(bytes.get(offset..end)?);
    Some(text.into_owned())
}
