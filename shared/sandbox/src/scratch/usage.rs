//! How much of the disk a directory takes, while something hostile may be changing it.

use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// What an entry costs at least: its inode and its line in the directory.
const ENTRY_BYTES: u64 = 4096;
/// More entries than any engine makes; counting them would only take the parent's time.
const ENTRIES: usize = 100_000;
/// Deeper than any engine nests.
const DEPTH: usize = 64;

/// Bytes that everything below `directory` takes. Links are counted, not followed. [`u64::MAX`] if that cannot be told:
/// too many entries, too deep, or hidden by permissions, none of which an honest engine does.
pub(crate) fn bytes_used(directory: &Path) -> u64 {
    let mut pending = vec![(directory.to_owned(), 0)];
    let (mut bytes, mut entries) = (0_u64, 0);
    while let Some((directory, depth)) = pending.pop() {
        let listed = match std::fs::read_dir(&directory) {
            Ok(listed) => listed,
            // Removed since it was listed, or replaced by something else: the next walk sees that.
            Err(error) if is_gone(&error) => continue,
            Err(_) => return u64::MAX,
        };
        for entry in listed.map_while(Result::ok) {
            entries += 1;
            if entries > ENTRIES || depth >= DEPTH {
                return u64::MAX;
            }
            let Ok(found) = entry.metadata() else {
                continue;
            };
            bytes = bytes.saturating_add((found.blocks() * 512).max(ENTRY_BYTES));
            if found.is_dir() {
                pending.push((entry.path(), depth + 1));
            }
        }
    }
    bytes
}

fn is_gone(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}
