//! Decompresses a response body and enforces the size limit while streaming it into the sink.

use std::io;

use bytes::Bytes;
use futures::{Stream, StreamExt as _};
use reqwest::Response;
use sha2::{Digest as _, Sha256};
use thiserror::Error;
use tokio::io::{
    AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _,
};
use tokio_util::io::StreamReader;

use crate::encoding::Encoding;
use crate::error::{FailedStep, FetchError};

const CHUNK_BYTES: usize = 64 * 1024;

/// Size and SHA-256 of the bytes written to the sink.
pub(crate) struct StoredBody {
    pub(crate) bytes: u64,
    pub(crate) sha256: [u8; 32],
}

/// Streams the body into the sink: at most `limit` bytes after decompression, and only slightly more from the connection.
///
/// A `Content-Length` above the limit is rejected before any byte is read. A truncated body is an error even without
/// `Content-Length`: the TLS `close_notify` alert distinguishes a complete body from a cut connection.
pub(crate) async fn store(
    response: Response,
    encoding: Encoding,
    limit: u64,
    sink: &mut (impl AsyncWrite + Unpin + ?Sized),
) -> Result<StoredBody, FetchError> {
    let max_bytes = max_wire_bytes(encoding, limit);
    if response
        .content_length()
        .is_some_and(|length| length > max_bytes)
    {
        return Err(FetchError::TooLarge);
    }
    let mut arriving = StreamReader::new(counted(response, max_bytes));
    let stored = copy(encoding.decode(&mut arriving), limit, sink).await?;
    match arriving.fill_buf().await {
        Ok([]) => Ok(stored),
        Ok(_) => Err(FetchError::Failed(FailedStep::Body)),
        Err(error) => Err(read_error(&error)),
    }
}

/// Maximum number of bytes read from the connection. Incompressible data grows a little when compressed; without this bound
/// an endless stream of empty compressed blocks would never reach the limit.
fn max_wire_bytes(encoding: Encoding, limit: u64) -> u64 {
    match encoding {
        Encoding::Identity => limit,
        Encoding::Gzip | Encoding::Brotli => limit.saturating_add(limit / 64).saturating_add(1024),
    }
}

fn counted(response: Response, max_bytes: u64) -> impl Stream<Item = io::Result<Bytes>> + Unpin {
    let mut arrived = 0_u64;
    let count = move |chunk: reqwest::Result<Bytes>| {
        let chunk = chunk.map_err(|error| io::Error::other(error.without_url()))?;
        arrived = arrived.saturating_add(chunk.len() as u64);
        if arrived > max_bytes {
            return Err(io::Error::other(OverLimit));
        }
        Ok(chunk)
    };
    response.bytes_stream().map(count).fuse()
}

async fn copy(
    mut body: impl AsyncRead + Unpin,
    limit: u64,
    sink: &mut (impl AsyncWrite + Unpin + ?Sized),
) -> Result<StoredBody, FetchError> {
    let mut buffer = vec![0; CHUNK_BYTES];
    let mut hash = Sha256::new();
    let mut bytes = 0_u64;
    loop {
        let read = body.read(&mut buffer).await;
        let read = read.map_err(|error| read_error(&error))?;
        let chunk = buffer.get(..read).unwrap_or_default();
        if chunk.is_empty() {
            break;
        }
        bytes = bytes.saturating_add(chunk.len() as u64);
        if bytes > limit {
            return Err(FetchError::TooLarge);
        }
        hash.update(chunk);
        sink.write_all(chunk).await.map_err(FetchError::Sink)?;
    }
    sink.flush().await.map_err(FetchError::Sink)?;
    Ok(StoredBody {
        bytes,
        sha256: hash.finalize().into(),
    })
}

/// Carries the exceeded limit from [`counted`] through a decoder's `io::Error`.
#[derive(Debug, Error)]
#[error("over the limit")]
struct OverLimit;

fn read_error(error: &io::Error) -> FetchError {
    if error.get_ref().is_some_and(|inner| inner.is::<OverLimit>()) {
        FetchError::TooLarge
    } else {
        FetchError::Failed(FailedStep::Body)
    }
}
