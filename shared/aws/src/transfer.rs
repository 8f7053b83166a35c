//! Request bodies from scratch files: small files at once, larger ones in chunks.

use std::path::Path;

use aws_sdk_s3::primitives::ByteStream;
use domain::ports::PortError;

use crate::error::unavailable;

const SCRATCH: &str = "scratch";
/// Maximum number of bytes transferred at once; each chunk costs a thread switch.
const MAX_BUFFERED: u64 = 1024 * 1024;
/// Bytes per chunk.
const CHUNK: usize = 256 * 1024;

/// The file at `path` as a request body.
pub(crate) async fn body(path: &Path) -> Result<ByteStream, PortError> {
    let small = path.to_owned();
    let read = tokio::task::spawn_blocking(move || read_small(&small)).await;
    let read = read.map_err(|_| unavailable(SCRATCH, "file I/O panicked"))?;
    if let Some(bytes) = read.map_err(|error| unavailable(SCRATCH, error.to_string()))? {
        return Ok(bytes.into());
    }
    let pieces = ByteStream::read_from().path(path).buffer_size(CHUNK);
    let body = pieces.build().await;
    body.map_err(|error| unavailable(SCRATCH, error.to_string()))
}

/// The content of a small file; `None` for a larger one.
fn read_small(path: &Path) -> std::io::Result<Option<Vec<u8>>> {
    match std::fs::metadata(path)?.len() <= MAX_BUFFERED {
        true => std::fs::read(path).map(Some),
        false => Ok(None),
    }
}
