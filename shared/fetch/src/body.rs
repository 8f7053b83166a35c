//! The body of a response, unpacked and counted on its way into the sink.

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
use crate::error::{Failure, FetchError};

const CHUNK_BYTES: usize = 64 * 1024;

/// What went into the sink.
pub(crate) struct Stored {
    pub(crate) bytes: u64,
    pub(crate) sha256: [u8; 32],
}

/// Streams the body into the sink. At most `limit` bytes reach it, and not many more are taken from the connection.
///
/// A body that says at once that it is larger is refused at once. One that breaks off is an error, even where the
/// server closed the connection without having said how long it is: TLS tells an end from a cut.
pub(crate) async fn store(
    response: Response,
    encoding: Encoding,
    limit: u64,
    sink: &mut (impl AsyncWrite + Unpin + ?Sized),
) -> Result<Stored, FetchError> {
    let most = most_on_the_wire(encoding, limit);
    if response
        .content_length()
        .is_some_and(|length| length > most)
    {
        return Err(FetchError::TooLarge);
    }
    let mut arriving = StreamReader::new(counted(response, most));
    let stored = copy(encoding.decode(&mut arriving), limit, sink).await?;
    match arriving.fill_buf().await {
        Ok([]) => Ok(stored),
        Ok(_) => Err(FetchError::Failed(Failure::Body)),
        Err(error) => Err(broken(&error)),
    }
}

/// Packing may add a little to what cannot be packed; without this bound a stream of empty blocks has no end.
fn most_on_the_wire(encoding: Encoding, limit: u64) -> u64 {
    match encoding {
        Encoding::Identity => limit,
        Encoding::Gzip | Encoding::Brotli => limit.saturating_add(limit / 64).saturating_add(1024),
    }
}

fn counted(response: Response, most: u64) -> impl Stream<Item = io::Result<Bytes>> + Unpin {
    let mut arrived = 0_u64;
    let count = move |chunk: reqwest::Result<Bytes>| {
        let chunk = chunk.map_err(|error| io::Error::other(error.without_url()))?;
        arrived = arrived.saturating_add(chunk.len() as u64);
        if arrived > most {
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
) -> Result<Stored, FetchError> {
    let mut buffer = vec![0; CHUNK_BYTES];
    let mut hash = Sha256::new();
    let mut bytes = 0_u64;
    loop {
        let read = body.read(&mut buffer).await;
        let read = read.map_err(|error| broken(&error))?;
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
    Ok(Stored {
        bytes,
        sha256: hash.finalize().into(),
    })
}

/// How [`counted`] tells the far side of a decoder that the limit passed.
#[derive(Debug, Error)]
#[error("over the limit")]
struct OverLimit;

fn broken(error: &io::Error) -> FetchError {
    if error.get_ref().is_some_and(|inner| inner.is::<OverLimit>()) {
        FetchError::TooLarge
    } else {
        FetchError::Failed(Failure::Body)
    }
}
