//! Objects between the store and files in scratch: small ones in one go, others in pieces.

use std::path::{Path, PathBuf};

use aws_sdk_s3::primitives::ByteStream;
use domain::ports::PortError;
use tokio::fs::File;
use tokio::io::AsyncWriteExt as _;

use crate::error::unavailable;

const SERVICE: &str = "s3";
/// Most bytes that go through memory in one go; each piece costs a change of threads.
const WHOLE: u64 = 1024 * 1024;
/// Bytes of a piece.
const PIECE: usize = 256 * 1024;

/// What lies at `path`, as a request sends it.
pub(crate) async fn body(path: &Path) -> Result<ByteStream, PortError> {
    let small = path.to_owned();
    if let Some(bytes) = off_executor(move || whole(&small)).await? {
        return Ok(bytes.into());
    }
    let pieces = ByteStream::read_from().path(path).buffer_size(PIECE);
    let body = pieces.build().await;
    body.map_err(|error| unavailable("scratch", error.to_string()))
}

/// All of a small file; `None` of a larger one.
fn whole(path: &Path) -> std::io::Result<Option<Vec<u8>>> {
    match std::fs::metadata(path)?.len() <= WHOLE {
        true => std::fs::read(path).map(Some),
        false => Ok(None),
    }
}

/// Writes the body of an answer, which must have so many bytes, to `path`.
pub(crate) async fn write(body: ByteStream, expected: u64, path: &Path) -> Result<(), PortError> {
    let written = match expected <= WHOLE {
        true => write_whole(body, path.to_owned()).await?,
        false => write_pieces(body, path).await?,
    };
    if written == expected {
        Ok(())
    } else {
        let reason = format!("{written} bytes of {expected}");
        Err(unavailable(SERVICE, reason))
    }
}

/// The HTTP client ends a body that is longer than it was said to be.
async fn write_whole(body: ByteStream, path: PathBuf) -> Result<u64, PortError> {
    let bytes = body.collect().await.map_err(|_| broken_off())?.into_bytes();
    off_executor(move || {
        std::fs::write(path, &bytes)?;
        Ok(bytes.len() as u64)
    })
    .await
}

async fn write_pieces(mut body: ByteStream, path: &Path) -> Result<u64, PortError> {
    let mut file = File::create(path).await.map_err(scratch)?;
    let mut written = 0_u64;
    while let Some(bytes) = body.next().await {
        let bytes = bytes.map_err(|_| broken_off())?;
        file.write_all(&bytes).await.map_err(scratch)?;
        written += bytes.len() as u64;
    }
    file.flush().await.map_err(scratch)?;
    Ok(written)
}

/// Uses files where that blocks nobody.
async fn off_executor<T: Send + 'static>(
    work: impl FnOnce() -> std::io::Result<T> + Send + 'static,
) -> Result<T, PortError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|_| unavailable("scratch", "using a file panicked"))?
        .map_err(scratch)
}

#[expect(clippy::needless_pass_by_value, reason = "it is mapped over results")]
fn scratch(error: std::io::Error) -> PortError {
    unavailable("scratch", error.to_string())
}

fn broken_off() -> PortError {
    unavailable(SERVICE, "the transfer broke off")
}
