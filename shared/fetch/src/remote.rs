//! The port through which jobs get sources from public addresses.

use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use domain::ports::{FetchRemote, PortError, RemoteFault, RemoteFile};
use domain::source::SourceUrl;
use tokio::fs::File;
use tokio::io::AsyncWriteExt;

use crate::client::Client;
use crate::error::FetchError;
use crate::source::{Fetched, Limits};

/// Fetches sources into files.
#[derive(Clone)]
pub struct RemoteSources {
    client: Client,
    within: Duration,
}

impl RemoteSources {
    /// Sources that `client` fetches, each within `within`.
    #[must_use]
    pub fn new(client: Client, within: Duration) -> Self {
        Self { client, within }
    }

    async fn fetch(
        &self,
        url: &SourceUrl,
        most_bytes: u64,
        own_hosts: &[String],
        file: &mut File,
    ) -> Result<Fetched, FetchError> {
        let client = self.client.clone().with_own(own_hosts);
        let url = client.policy().admit(url.reveal())?;
        let limits = Limits::new(most_bytes, self.within);
        client.fetch(&url.into(), &limits, file).await
    }
}

#[async_trait]
impl FetchRemote for RemoteSources {
    async fn fetch_remote(
        &self,
        url: &SourceUrl,
        most_bytes: u64,
        own_hosts: &[String],
        path: &Path,
    ) -> Result<RemoteFile, RemoteFault> {
        let mut file = File::create(path).await.map_err(not_kept)?;
        let fetched = self.fetch(url, most_bytes, own_hosts, &mut file).await;
        let fetched = fetched.map_err(fault)?;
        file.flush().await.map_err(not_kept)?;
        Ok(RemoteFile {
            size_bytes: fetched.bytes,
            content_type: fetched.content_type,
            filename: fetched.filename,
        })
    }
}

fn fault(error: FetchError) -> RemoteFault {
    tracing::info!(%error, step = ?error.step(), "a remote source could not be fetched");
    match error {
        FetchError::InvalidUrl | FetchError::Blocked => RemoteFault::Blocked,
        FetchError::TooLarge => RemoteFault::TooLarge,
        FetchError::Sink(error) => not_kept(error),
        FetchError::Failed(_) | FetchError::TimedOut => RemoteFault::Failed,
    }
}

fn not_kept(error: std::io::Error) -> RemoteFault {
    RemoteFault::NotKept(PortError::Unavailable {
        service: "scratch",
        reason: error.to_string(),
    })
}
