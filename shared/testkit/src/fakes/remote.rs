//! Files at public addresses: what a test has put there, and nothing else.

use std::path::Path;

use async_trait::async_trait;
use domain::ports::{FetchRemote, RemoteFault, RemoteFile};
use domain::source::SourceUrl;

use super::{Call, Fakes, unavailable};

/// A host that the guard of outgoing requests refuses.
const BLOCKED_HOST: &str = "https://blocked.example/";

impl Fakes {
    /// Puts a file at a public address.
    pub fn put_remote(&self, url: &str, body: &[u8]) {
        self.put_object(url, "application/octet-stream", body);
    }
}

#[async_trait]
impl FetchRemote for Fakes {
    async fn fetch_remote(
        &self,
        url: &SourceUrl,
        most_bytes: u64,
        path: &Path,
    ) -> Result<RemoteFile, RemoteFault> {
        let url = url.reveal();
        self.call(Call::Fetch, |_| Ok(())).await?;
        if url.starts_with(BLOCKED_HOST) {
            return Err(RemoteFault::Blocked);
        }
        let (_, body) = self.object(url).ok_or(RemoteFault::Failed)?;
        let size_bytes = body.len() as u64;
        if size_bytes > most_bytes {
            return Err(RemoteFault::TooLarge);
        }
        std::fs::write(path, body).map_err(|error| unavailable(error.to_string()))?;
        Ok(RemoteFile {
            size_bytes,
            ..RemoteFile::default()
        })
    }
}
