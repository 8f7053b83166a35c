//! Implements the domain's port [`FetchRemote`]: fetches sources of jobs into files.

use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use domain::ports::{FetchRemote, PortError, RemoteFile, RemoteFileError};
use domain::source::SourceUrl;
use tokio::fs::File;
use tokio::io::AsyncWriteExt;

use crate::client::Client;
use crate::error::FetchError;
use crate::source::{FetchedDocument, Limits};

/// Fetches sources into files.
#[derive(Clone)]
pub struct RemoteSources {
    client: Client,
    time_limit: Duration,
}

impl RemoteSources {
    /// Fetches with `client`; `time_limit` applies to each fetch.
    #[must_use]
    pub fn new(client: Client, time_limit: Duration) -> Self {
        Self { client, time_limit }
    }

    async fn fetch(
        &self,
        url: &SourceUrl,
        max_bytes: u64,
        own_hosts: &[String],
        file: &mut File,
    ) -> Result<FetchedDocument, FetchError> {
        let client = self.client.clone().with_own_hosts(own_hosts);
        let url = client.policy().admit(url.reveal())?;
        let limits = Limits::new(max_bytes, self.time_limit);
        client.fetch(&url.into(), &limits, file).await
    }
}

#[async_trait]
impl FetchRemote for RemoteSources {
    async fn fetch_remote(
        &self,
        url: &SourceUrl,
        max_bytes: u64,
        own_hosts: &[String],
        path: &Path,
    ) -> Result<RemoteFile, RemoteFileError> {
        let mut file = File::create(path).await.map_err(not_stored)?;
        let fetched = self.fetch(url, max_bytes, own_hosts, &mut file).await;
        let fetched = fetched.map_err(to_remote_file_error)?;
        file.flush().await.map_err(not_stored)?;
        Ok(RemoteFile {
            size_bytes: fetched.bytes,
            content_type: fetched.content_type,
            filename: fetched.filename,
        })
    }
}

fn to_remote_file_error(error: FetchError) -> RemoteFileError {
    tracing::info!(%error, step = ?error.step(), "fetching a remote source failed");
    match error {
        FetchError::InvalidUrl | FetchError::Blocked => RemoteFileError::Blocked,
        FetchError::TooLarge => RemoteFileError::TooLarge,
        FetchError::Sink(error) => not_stored(error),
        FetchError::Failed(_) | FetchError::TimedOut => RemoteFileError::Failed,
    }
}

fn not_stored(error: std::io::Error) -> RemoteFileError {
    RemoteFileError::NotStored(PortError::Unavailable {
        service: "scratch",
        reason: error.to_string(),
    })
}
