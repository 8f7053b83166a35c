//! Remote files at public URLs.

use std::path::Path;

use async_trait::async_trait;
use domain::ports::{FetchRemote, RemoteFile, RemoteFileError};
use domain::source::SourceUrl;

use super::{Call, Fakes, unavailable};

/// A host that the SSRF guard blocks.
const BLOCKED_HOST: &str = "https://blocked.example/";

/// Media type of a stored redirect.
const REDIRECT: &str = "message/redirect";

impl Fakes {
    /// Adds a redirect from `url` to `target`.
    pub fn put_redirect(&self, url: &str, target: &str) {
        self.put_object(url, REDIRECT, target.as_bytes());
    }

    /// Adds a file at a public URL.
    pub fn put_remote(&self, url: &str, body: &[u8]) {
        self.put_object(url, "application/octet-stream", body);
    }
}

impl Fakes {
    /// The file at a URL, after following redirects.
    fn at(&self, url: &str, own_hosts: &[String]) -> Result<Vec<u8>, RemoteFileError> {
        let is_own = |host: &String| url.starts_with(&format!("https://{host}/"));
        if url.starts_with(BLOCKED_HOST) || own_hosts.iter().any(is_own) {
            return Err(RemoteFileError::Blocked);
        }
        match self.object(url) {
            Some((kind, target)) if kind == REDIRECT => {
                self.at(&String::from_utf8_lossy(&target), own_hosts)
            }
            Some((_, body)) => Ok(body),
            None => Err(RemoteFileError::Failed),
        }
    }
}

#[async_trait]
impl FetchRemote for Fakes {
    async fn fetch_remote(
        &self,
        url: &SourceUrl,
        max_bytes: u64,
        own_hosts: &[String],
        path: &Path,
    ) -> Result<RemoteFile, RemoteFileError> {
        self.call(Call::Fetch, |_| Ok(())).await?;
        let body = self.at(url.reveal(), own_hosts)?;
        let size_bytes = body.len() as u64;
        if size_bytes > max_bytes {
            return Err(RemoteFileError::TooLarge);
        }
        std::fs::write(path, body).map_err(|error| unavailable(error.to_string()))?;
        Ok(RemoteFile {
            size_bytes,
            ..RemoteFile::default()
        })
    }
}
