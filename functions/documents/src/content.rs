//! What the bytes of a fetched file say.

use std::fs::File;
use std::io::{Error, Read as _, Seek as _, SeekFrom};
use std::path::PathBuf;

use sha2::{Digest as _, Sha256};

/// How much of a file's beginning and end is looked at for its type.
const LOOKED_AT: u64 = 64 * 1024;

/// How much is read at a time.
const CHUNK: usize = 256 * 1024;

/// What the bytes of a file say.
pub(crate) struct Content {
    /// The beginning.
    pub(crate) head: Vec<u8>,
    /// The end.
    pub(crate) tail: Vec<u8>,
    /// SHA-256 of all of it, lower-case hexadecimal.
    pub(crate) sha256: String,
}

/// Reads the file at `path`, off the executor.
///
/// # Errors
/// The file cannot be read.
pub(crate) async fn look_into(path: PathBuf) -> Result<Content, Error> {
    let looked = tokio::task::spawn_blocking(move || look(&path)).await;
    looked.map_err(Error::other)?
}

fn look(path: &std::path::Path) -> Result<Content, Error> {
    let mut file = File::open(path)?;
    let size = file.metadata()?.len();
    let head = some(&mut file, 0)?;
    let tail = some(&mut file, size.saturating_sub(LOOKED_AT))?;
    file.seek(SeekFrom::Start(0))?;
    let (mut hasher, mut chunk) = (Sha256::new(), vec![0; CHUNK]);
    loop {
        let read = file.read(&mut chunk)?;
        match chunk.get(..read) {
            Some([]) | None => break,
            Some(bytes) => hasher.update(bytes),
        }
    }
    Ok(Content {
        head,
        tail,
        sha256: domain::key::hex(&hasher.finalize()),
    })
}

fn some(file: &mut File, from: u64) -> Result<Vec<u8>, Error> {
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(LOOKED_AT).read_to_end(&mut bytes)?;
    Ok(bytes)
}
