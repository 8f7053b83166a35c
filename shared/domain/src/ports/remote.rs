//! Requests to URLs of clients, through the SSRF guard.

use std::path::Path;

use async_trait::async_trait;
use thiserror::Error;

use super::PortError;
use crate::filename::Filename;
use crate::source::SourceUrl;
use crate::subscription::DeliveryOutcome;

/// A file fetched from a public URL.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RemoteFile {
    /// Size in bytes.
    pub size_bytes: u64,
    /// `Content-Type` of the response.
    pub content_type: Option<String>,
    /// File name from the response or the URL, sanitized.
    pub filename: Option<Filename>,
}

/// Why a remote file could not be fetched.
#[derive(Debug, Error)]
pub enum RemoteFileError {
    /// The SSRF guard rejected the URL or the address of its host.
    #[error("the URL must not be fetched")]
    Blocked,
    /// The server could not be reached, or did not respond with a file.
    #[error("the URL could not be fetched")]
    Failed,
    /// The file is larger than allowed.
    #[error("the file at the URL is too large")]
    TooLarge,
    /// The file could not be stored: a failure of the service.
    #[error(transparent)]
    NotStored(#[from] PortError),
}

/// Fetches files from public URLs, through the SSRF guard.
#[async_trait]
pub trait FetchRemote: Send + Sync {
    /// Streams the content of `url` to `path`, at most `max_bytes`. Rejects `own_hosts` and other hosts that lead back to the
    /// service.
    async fn fetch_remote(
        &self,
        url: &SourceUrl,
        max_bytes: u64,
        own_hosts: &[String],
        path: &Path,
    ) -> Result<RemoteFile, RemoteFileError>;
}

/// Sends events to receivers, through the SSRF guard.
#[async_trait]
pub trait CallReceivers: Send + Sync {
    /// Posts a JSON body with these headers within [`crate::subscription::TIMEOUT`], and reads the beginning of the response.
    async fn call_receiver(
        &self,
        url: &SourceUrl,
        headers: &[(&'static str, String)],
        body: &str,
    ) -> DeliveryOutcome;
}
