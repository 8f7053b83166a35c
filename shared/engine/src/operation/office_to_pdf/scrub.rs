//! Overwrites values in a PDF that differ between runs, in place: lengths and offsets stay the same.
//!
//! LibreOffice writes the time, a random identifier and a checksum of both in plain text.

use std::fs::OpenOptions;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

/// Bytes at the end of the file that contain the trailer and the document information dictionary.
const TAIL: u64 = 16 * 1024 * 1024;

/// The text before the value, the bytes of the value that are overwritten with `0`, and the byte after the value.
type Place = (&'static [u8], fn(u8) -> bool, u8);

const PLACES: [Place; 4] = [
    (b"/CreationDate(D:", |byte| byte.is_ascii_digit(), b')'),
    (b"/ModDate(D:", |byte| byte.is_ascii_digit(), b')'),
    (b"/DocChecksum /", |byte| byte.is_ascii_hexdigit(), b'\n'),
    (b"/ID [", |byte| byte.is_ascii_hexdigit(), b']'),
];

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
    for (before, changes, end) in PLACES {
        let mut from = 0;
        while let Some(found) = find(bytes, before, from) {
            from = found + before.len();
            let place = bytes.iter_mut().skip(from).take(128);
            for byte in place.take_while(|byte| **byte != end) {
                if changes(*byte) {
                    *byte = b'0';
                }
            }
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
        let expected = b"/Producer(Office 25)\n/CreationDate(D:00000000000000Z'00')>>\n/ID [ <0000>\n<0000> ]\n/DocChecksum /0000\n/Size 25";
        assert_eq!(
            bytes.escape_ascii().to_string(),
            expected.escape_ascii().to_string()
        );
    }
}
