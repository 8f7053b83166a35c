//! Overwrites the dates of a printed document in place with a constant; nothing else differs between runs.
//!
//! The browser writes them once, in plain text, in one of the first objects.

use std::fs::OpenOptions;
use std::io::{Read as _, Seek as _, Write as _};
use std::path::Path;

/// Bytes at the start of the file that contain the document information dictionary.
const HEAD: u64 = 64 * 1024;
/// Text before each date.
const DATES: [&[u8]; 2] = [b"/CreationDate (D:", b"/ModDate (D:"];
/// 2000-01-01 00:00:00, with the same number of digits as every date.
const FIXED: &[u8; 14] = b"20000101000000";

/// Overwrites the dates of a file.
pub(super) fn fix(path: &Path) -> std::io::Result<()> {
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    let mut head = Vec::new();
    (&mut file).take(HEAD).read_to_end(&mut head)?;
    overwrite(&mut head);
    file.rewind()?;
    file.write_all(&head)
}

fn overwrite(bytes: &mut [u8]) {
    for before in DATES {
        let found = bytes
            .windows(before.len())
            .position(|window| window == before);
        let start = found.map_or(usize::MAX, |found| found + before.len());
        let digits = bytes.get_mut(start..start.saturating_add(FIXED.len()));
        if let Some(digits) = digits.filter(|digits| digits.iter().all(u8::is_ascii_digit)) {
            digits.copy_from_slice(FIXED);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_dates_change_and_lengths_stay() {
        let mut bytes =
            b"/Title (/ModDate \\(D:)\n/CreationDate (D:20261121075253+00'00')\n/ModDate (D:20261121075253+00'00')>>\n(D:2026"
                .to_vec();
        overwrite(&mut bytes);
        let expected = b"/Title (/ModDate \\(D:)\n/CreationDate (D:20000101000000+00'00')\n/ModDate (D:20000101000000+00'00')>>\n(D:2026";
        assert_eq!(
            bytes.escape_ascii().to_string(),
            expected.escape_ascii().to_string()
        );
        let mut short = b"/CreationDate (D:2026".to_vec();
        overwrite(&mut short);
        assert_eq!(short, b"/CreationDate (D:2026");
    }
}
