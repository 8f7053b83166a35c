//! A result as a file: what it weighs and its hash.

use std::path::Path;

use task::file::{hash, is_regular};

use crate::error::EngineError;

/// The size and the SHA-256 of a file (lower-case hexadecimal), read in pieces. A child may have made it, so anything but
/// a regular file is refused: a link could lead out of the scratch directory. Blocks.
///
/// # Errors
/// [`EngineError::Service`] when it cannot be read.
pub fn weigh(path: &Path) -> Result<(u64, String), EngineError> {
    if !is_regular(path) {
        return Err(EngineError::Service("a result is not a file".to_owned()));
    }
    hash(path).map_err(|error| EngineError::service("a result cannot be read", error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_and_hash_are_those_of_the_bytes() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        std::fs::write(&path, b"abc").unwrap();
        let (size, hash) = weigh(&path).unwrap();
        assert_eq!(size, 3);
        assert_eq!(
            hash,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn a_link_is_no_result() {
        let directory = tempfile::tempdir().unwrap();
        let link = directory.path().join("link");
        std::os::unix::fs::symlink("/etc/hostname", &link).unwrap();
        assert!(matches!(weigh(&link), Err(EngineError::Service(_))));
    }
}
