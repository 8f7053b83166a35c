//! Measures the disk usage of a directory that a hostile process may be changing meanwhile.

use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// Minimum size of an entry: its inode and directory entry.
const ENTRY_BYTES: u64 = 4096;
/// Maximum number of entries, more than any engine creates. Bounds the time of the walk.
const MAX_ENTRIES: usize = 100_000;
/// Maximum depth, deeper than any engine nests directories.
const MAX_DEPTH: usize = 64;

/// Disk usage of everything below `directory` in bytes. Symbolic links are counted, not followed. Returns [`u64::MAX`] if the
/// usage cannot be determined: too many entries, too deep, or unreadable, none of which regular engines cause.
pub(crate) fn bytes_used(directory: &Path) -> u64 {
    let mut pending = vec![(directory.to_owned(), 0)];
    let (mut bytes, mut entries) = (0_u64, 0);
    while let Some((directory, depth)) = pending.pop() {
        let listed = match std::fs::read_dir(&directory) {
            Ok(listed) => listed,
            // Removed or replaced since it was listed; the next walk covers that.
            Err(error) if is_gone(&error) => continue,
            Err(_) => return u64::MAX,
        };
        for entry in listed.map_while(Result::ok) {
            entries += 1;
            if entries > MAX_ENTRIES || depth >= MAX_DEPTH {
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
