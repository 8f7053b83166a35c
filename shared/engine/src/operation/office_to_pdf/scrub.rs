//! Overwrites what differs between runs in a PDF, in place: lengths and offsets stay the same.
//!
//! LibreOffice writes the time, a random identifier and a checksum of both in plain text. The dates are removed, since a
//! constant would be an invented date.

use std::fs::OpenOptions;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

/// Bytes at the end of the file that contain the trailer and the document information dictionary.
const TAIL: u64 = 16 * 1024 * 1024;

/// The start of each date, which ends with a parenthesis.
const DATES: [&[u8]; 2] = [b"/CreationDate(D:", b"/ModDate(D:"];
/// The text before each identifier in hexadecimal digits, and the byte after it.
const IDENTIFIERS: [(&[u8], u8); 2] = [(b"/DocChecksum /", b'\n'), (b"/ID [", b']')];
/// Maximum length of a value.
const MAX_VALUE: usize = 128;

/// Overwrites the values in the last part of a file.
pub(super) fn scrub(path: &Path) -> std::io::Result<()> {
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    let length = file.metadata()?.len();
    let start = length.saturating_sub(TAIL);
    let mut tail = Vec::new();
    file.seek(SeekFrom::Start(start))?;
    file.read_to_end(&mut tail)?;
    overwrite(&mut tail);
    file.seek(SeekFrom::Start(start))?;
    file.write_all(&tail)
}

fn overwrite(bytes: &mut [u8]) {
    for start in DATES {
        each_value(bytes, start, b')', |entry| entry.fill(b' '));
    }
    for (before, end) in IDENTIFIERS {
        each_value(bytes, before, end, |entry| {
            let digits = entry.iter_mut().skip(before.len());
            digits
                .filter(|byte| byte.is_ascii_hexdigit())
                .for_each(|byte| *byte = b'0');
        });
    }
}

/// Calls `change` with each stretch of bytes from `start` to `end`.
fn each_value(bytes: &mut [u8], start: &[u8], end: u8, change: impl Fn(&mut [u8])) {
    let mut from = 0;
    while let Some(found) = find(bytes, start, from) {
        from = found + start.len();
        let value = bytes.get(from..).unwrap_or_default().iter().take(MAX_VALUE);
        let length = value.copied().position(|byte| byte == end);
        if let Some(entry) = length.and_then(|length| bytes.get_mut(found..=from + length)) {
            change(entry);
        }
    }
}

fn find(bytes: &[u8], pattern: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    let found = rest
        .windows(pattern.len())
        .position(|window| window == pattern)?;
    Some(from + found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_run_dependent_values_change_and_lengths_stay() {
        let mut bytes = b"/Producer(Office 25)\n/CreationDate(D:20261121012229Z'00')>>\n/ID [ <AB12>\n<cd34> ]\n/DocChecksum /0F1E\n/Size 25".to_vec();
        overwrite(&mut bytes);
        let blank = " ".repeat(b"/CreationDate(D:20261121012229Z'00')".len());
        let expected = format!(
            "/Producer(Office 25)\n{blank}>>\n/ID [ <0000>\n<0000> ]\n/DocChecksum /0000\n/Size 25"
        );
        assert_eq!(String::from_utf8_lossy(&bytes), expected);
    }
}
