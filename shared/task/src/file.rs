//! Files as a parent looks at what a child has left.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use domain::key::hex;
use sha2::{Digest as _, Sha256};

/// The size and the SHA-256 of a file, lower-case hexadecimal.
pub fn hash(path: &Path) -> std::io::Result<(u64, String)> {
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

/// Whether a path is a file itself and no link to one.
pub fn is_regular(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|found| found.is_file())
}
