//! CRC-64/NVME, which S3 computes for every upload, so that a coordinator can compare it.

use std::io;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use crc_fast::CrcAlgorithm::Crc64Nvme;
use crc_fast::Digest;
use std::io::Read as _;

/// Bytes read at a time.
const CHUNK: usize = 256 * 1024;

/// Returns the CRC-64/NVME of a file in Base64, as S3 writes it. Blocks.
pub(crate) fn crc64nvme(path: &Path) -> io::Result<String> {
    let mut file = std::fs::File::open(path)?;
    let mut digest = Digest::new(Crc64Nvme);
    let mut chunk = vec![0; CHUNK];
    loop {
        match file.read(&mut chunk) {
            Ok(0) => break,
            Ok(count) => digest.update(chunk.get(..count).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(STANDARD.encode(digest.finalize().to_be_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_the_one_of_the_catalog_of_crc_algorithms() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        std::fs::write(&path, b"123456789").unwrap();
        let check = 0xae8b_1486_0a79_9888_u64;
        assert_eq!(
            crc64nvme(&path).unwrap(),
            STANDARD.encode(check.to_be_bytes())
        );
        std::fs::write(&path, vec![7; 2 * CHUNK + 1]).unwrap();
        assert_eq!(crc64nvme(&path).unwrap().len(), 12);
        assert!(crc64nvme(&directory.path().join("missing")).is_err());
    }
}
