//! Character classes of PDF syntax [ISO 32000-1, 7.2.2].

/// Whether the byte is white space.
pub fn is_space(byte: u8) -> bool {
    matches!(byte, 0 | b'\t' | b'\n' | 0x0c | b'\r' | b' ')
}

/// Whether the byte is neither white space nor a delimiter.
pub fn is_regular(byte: u8) -> bool {
    !is_space(byte)
        && !matches!(
            byte,
            b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%'
        )
}
