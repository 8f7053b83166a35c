//! Transfers between S3 and scratch files: small objects at once, larger ones in chunks.

use std::path::{Path, PathBuf};

use aws_sdk_s3::primitives::ByteStream;
use domain::ports::PortError;
use tokio::fs::File;
use tokio::io::AsyncWriteExt as _;

use crate::error::unavailable;

const SERVICE: &str = "s3";
/// Maximum number of bytes transferred at once; each chunk costs a thread switch.
const MAX_BUFFERED: u64 = 1024 * 1024;
/// Bytes per chunk.
const CHUNK: usize = 256 * 1024;

/// The file at `path` as a request body.
pub(crate) async fn body(path: &Path) -> Result<ByteStream, PortError> {
    let small = path.to_owned();
    if let Some(bytes) = spawn_blocking(move || read_small(&small)).await? {
        return Ok(bytes.into());
    }
    let pieces = ByteStream::read_from().path(path).buffer_size(CHUNK);
    let body = pieces.build().await;
    body.map_err(|error| unavailable("scratch", error.to_string()))
}

/// The content of a small file; `None` for a larger one.
fn read_small(path: &Path) -> std::io::Result<Option<Vec<u8>>> {
    match std::fs::metadata(path)?.len() <= MAX_BUFFERED {
        true => std::fs::read(path).map(Some),
        false => Ok(None),
    }
}

/// Writes a response body, which must have `expected` bytes, to `path`.
pub(crate) async fn write(body: ByteStream, expected: u64, path: &Path) -> Result<(), PortError> {
    let written = match expected <= MAX_BUFFERED {
        true => write_whole(body, path.to_owned()).await?,
        false => write_chunks(body, path).await?,
    };
    if written == expected {
        Ok(())
    } else {
        let reason = format!("{written} bytes of {expected}");
        Err(unavailable(SERVICE, reason))
    }
}

/// Writes the body at once; the HTTP client fails if it exceeds its `Content-Length`.
async fn write_whole(body: ByteStream, path: PathBuf) -> Result<u64, PortError> {
    let bytes = body
        .collect()
        .await
        .map_err(|_| interrupted())?
        .into_bytes();
    spawn_blocking(move || {
        std::fs::write(path, &bytes)?;
        Ok(bytes.len() as u64)
    })
    .await
}

async fn write_chunks(mut body: ByteStream, path: &Path) -> Result<u64, PortError> {
    let mut file = File::create(path).await.map_err(scratch)?;
    let mut written = 0_u64;
    while let Some(bytes) = body.next().await {
        let bytes = bytes.map_err(|_| interrupted())?;
        file.write_all(&bytes).await.map_err(scratch)?;
        written += bytes.len() as u64;
    }
    file.flush().await.map_err(scratch)?;
    Ok(written)
}

/// Runs blocking file I/O on a blocking thread.
async fn spawn_blocking<T: Send + 'static>(
    work: impl FnOnce() -> std::io::Result<T> + Send + 'static,
) -> Result<T, PortError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|_| unavailable("scratch", "file I/O panicked"))?
        .map_err(scratch)
}

#[expect(clippy::needless_pass_by_value, reason = "it is mapped over results")]
fn scratch(error: std::io::Error) -> PortError {
    unavailable("scratch", error.to_string())
}

fn interrupted() -> PortError {
    unavailable(SERVICE, "the transfer was interrupted")
}
