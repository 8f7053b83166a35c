//! Size and hash of a result file.

use std::path::Path;

use task::file::{self, is_regular};

use crate::error::EngineError;

/// Returns the size in bytes and the SHA-256 (lower-case hexadecimal) of a file, read in chunks. Blocks.
///
/// Rejects anything but a regular file: a sandboxed child may have created it, and a symbolic link could point outside the
/// scratch directory.
///
/// # Errors
/// [`EngineError::Service`] if the file is not regular or cannot be read.
pub fn size_and_sha256(path: &Path) -> Result<(u64, String), EngineError> {
    if !is_regular(path) {
        return Err(EngineError::Service(
            "the result is not a regular file".to_owned(),
        ));
    }
    file::size_and_sha256(path)
        .map_err(|error| EngineError::service("the result cannot be read", error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_and_hash_are_those_of_the_bytes() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        std::fs::write(&path, b"abc").unwrap();
        let (size, hash) = size_and_sha256(&path).unwrap();
        assert_eq!(size, 3);
        assert_eq!(
            hash,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn symbolic_links_are_rejected() {
        let directory = tempfile::tempdir().unwrap();
        let link = directory.path().join("link");
        std::os::unix::fs::symlink("/etc/hostname", &link).unwrap();
        assert!(matches!(
            size_and_sha256(&link),
            Err(EngineError::Service(_))
        ));
    }
}
