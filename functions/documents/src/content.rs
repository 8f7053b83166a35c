//! Head, tail and SHA-256 of a fetched file, for format detection.

use std::fs::File;
use std::io::{Error, Read as _, Seek as _, SeekFrom};
use std::path::PathBuf;

use sha2::{Digest as _, Sha256};

/// Size of head and tail, in bytes.
const SAMPLE_BYTES: u64 = 64 * 1024;

/// Size of the read buffer, in bytes.
const CHUNK: usize = 256 * 1024;

/// Samples and hash of a file.
pub(crate) struct ContentSample {
    /// The first 64 KiB.
    pub(crate) head: Vec<u8>,
    /// The last 64 KiB.
    pub(crate) tail: Vec<u8>,
    /// SHA-256 of the whole file, lower-case hexadecimal.
    pub(crate) sha256: String,
}

/// Reads the file at `path` on a blocking thread.
///
/// # Errors
/// When the file cannot be read.
pub(crate) async fn sample(path: PathBuf) -> Result<ContentSample, Error> {
    let sampled = tokio::task::spawn_blocking(move || sample_blocking(&path)).await;
    sampled.map_err(Error::other)?
}

fn sample_blocking(path: &std::path::Path) -> Result<ContentSample, Error> {
    let mut file = File::open(path)?;
    let size = file.metadata()?.len();
    let head = read_at(&mut file, 0)?;
    let tail = read_at(&mut file, size.saturating_sub(SAMPLE_BYTES))?;
    file.seek(SeekFrom::Start(0))?;
    let (mut hasher, mut chunk) = (Sha256::new(), vec![0; CHUNK]);
    loop {
        let read = file.read(&mut chunk)?;
        match chunk.get(..read) {
            Some([]) | None => break,
            Some(bytes) => hasher.update(bytes),
        }
    }
    Ok(ContentSample {
        head,
        tail,
        sha256: domain::key::hex(&hasher.finalize()),
    })
}

fn read_at(file: &mut File, offset: u64) -> Result<Vec<u8>, Error> {
    file.seek(SeekFrom::Start(offset))?;
    let mut bytes = Vec::new();
    file.take(SAMPLE_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}
