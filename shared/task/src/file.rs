//! Checks of files that a child process wrote.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use domain::key::hex;
use sha2::{Digest as _, Sha256};

/// Returns the size and the lower-case hexadecimal SHA-256 of a file.
///
/// # Errors
/// If the file cannot be read.
pub fn size_and_sha256(path: &Path) -> std::io::Result<(u64, String)> {
    let mut file = File::open(path)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 256 * 1024];
    let mut size = 0;
    loop {
        let count = file.read(&mut buffer)?;
        let Some(read) = buffer.get(..count).filter(|read| !read.is_empty()) else {
            break;
        };
        hash.update(read);
        size += count as u64;
    }
    Ok((size, hex(&hash.finalize())))
}

/// Whether the path is a regular file, and not a symbolic link to one.
pub fn is_regular(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|found| found.is_file())
}
