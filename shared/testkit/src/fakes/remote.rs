//! Files at public addresses: what a test has put there, and nothing else.

use std::path::Path;

use async_trait::async_trait;
use domain::ports::{FetchRemote, RemoteFault, RemoteFile};
use domain::source::SourceUrl;

use super::{Call, Fakes, unavailable};

/// A host that the guard of outgoing requests refuses.
const BLOCKED_HOST: &str = "https://blocked.example/";

/// What stands at an address that leads to another one.
const REDIRECT: &str = "message/redirect";

impl Fakes {
    /// Has a public address lead to another one.
    pub fn put_redirect(&self, url: &str, target: &str) {
        self.put_object(url, REDIRECT, target.as_bytes());
    }

    /// Puts a file at a public address.
    pub fn put_remote(&self, url: &str, body: &[u8]) {
        self.put_object(url, "application/octet-stream", body);
    }
}

impl Fakes {
    /// The file at an address, or where that leads to.
    fn at(&self, url: &str, own_hosts: &[String]) -> Result<Vec<u8>, RemoteFault> {
        let is_own = |host: &String| url.starts_with(&format!("https://{host}/"));
        if url.starts_with(BLOCKED_HOST) || own_hosts.iter().any(is_own) {
            return Err(RemoteFault::Blocked);
        }
        match self.object(url) {
            Some((kind, target)) if kind == REDIRECT => {
                self.at(&String::from_utf8_lossy(&target), own_hosts)
            }
            Some((_, body)) => Ok(body),
            None => Err(RemoteFault::Failed),
        }
    }
}

#[async_trait]
impl FetchRemote for Fakes {
    async fn fetch_remote(
        &self,
        url: &SourceUrl,
        most_bytes: u64,
        own_hosts: &[String],
        path: &Path,
    ) -> Result<RemoteFile, RemoteFault> {
        self.call(Call::Fetch, |_| Ok(())).await?;
        let body = self.at(url.reveal(), own_hosts)?;
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
