//! Requests to addresses that customers name, under the guard of outgoing requests.

use std::path::Path;

use async_trait::async_trait;
use thiserror::Error;

use super::PortError;
use crate::filename::Filename;
use crate::source::SourceUrl;
use crate::subscription::Outcome;

/// A file that was fetched from a public address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RemoteFile {
    /// Size in bytes.
    pub size_bytes: u64,
    /// The media type that its server claims.
    pub content_type: Option<String>,
    /// The name that its server or its address gives it, cleaned.
    pub filename: Option<Filename>,
}

/// Why a remote file could not be had.
#[derive(Debug, Error)]
pub enum RemoteFault {
    /// The guard refuses what its URL leads to.
    #[error("the URL may not be fetched")]
    Blocked,
    /// Its server cannot be reached, or answers something else than a file.
    #[error("the URL could not be fetched")]
    Failed,
    /// It is larger than allowed.
    #[error("what the URL holds is too large")]
    TooLarge,
    /// It came and could not be kept: the service is at fault.
    #[error(transparent)]
    NotKept(#[from] PortError),
}

/// Fetches files from public addresses, under the guard of outgoing requests.
#[async_trait]
pub trait FetchRemote: Send + Sync {
    /// Streams what `url` holds to `path`, at most `most_bytes`. Nothing at `own_hosts` is asked, or at what else is known
    /// to lead back to the service.
    async fn fetch_remote(
        &self,
        url: &SourceUrl,
        most_bytes: u64,
        own_hosts: &[String],
        path: &Path,
    ) -> Result<RemoteFile, RemoteFault>;
}

/// Sends messages to receivers, under the guard of outgoing requests.
#[async_trait]
pub trait CallReceivers: Send + Sync {
    /// Posts a JSON body with these headers, within [`crate::subscription::TIMEOUT`], and reads the beginning of the
    /// answer.
    async fn call_receiver(
        &self,
        url: &SourceUrl,
        headers: &[(&'static str, String)],
        body: &str,
    ) -> Outcome;
}
