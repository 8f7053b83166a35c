//! Objects, stored as files of a directory.

use std::path::Path;

use async_trait::async_trait;
use domain::filename::Filename;
use domain::id::AccountId;
use domain::key::hex;
use domain::ports::{ObjectMetadata, Objects, PortError};
use domain::step_cache::{StepArtifact, StepKey, step_artifact_metadata_object, step_object};
use sha2::{Digest, Sha256};

use super::state::{Object, State};
use super::{Call, Fakes, unavailable};
use crate::environment::Download;

/// Separates the parts of a fake URL: occurs in no key or media type, and is allowed in a header.
pub(super) const SEPARATOR: char = '\t';
pub(super) const UPLOAD: &str = "fake:upload";
const DOWNLOAD: &str = "fake:download";

#[async_trait]
impl Objects for Fakes {
    async fn fetch(&self, object: &str, etag: &str, path: &Path) -> Result<bool, PortError> {
        self.call(Call::Fetch, |state| {
            let found = state.objects.get(object);
            let Some(found) = found.filter(|found| found.etag == etag) else {
                return Ok(false);
            };
            copy_to(found, path).map(|()| true)
        })
        .await
    }

    async fn store(
        &self,
        path: &Path,
        object: &str,
        content_type: &str,
    ) -> Result<String, PortError> {
        self.call(Call::Store, |state| {
            let body = std::fs::read(path).map_err(|error| unavailable(error.to_string()))?;
            let directory = self.directory();
            Ok(put(state, directory, object, content_type, &body))
        })
        .await
    }

    async fn copy(&self, from: &str, to: &str) -> Result<Option<String>, PortError> {
        self.call(Call::Copy, |state| {
            let Some((content_type, body)) = read(state, from) else {
                return Ok(None);
            };
            let etag = put(state, self.directory(), to, &content_type, &body);
            Ok(Some(etag))
        })
        .await
    }

    async fn metadata(&self, object: &str) -> Result<Option<ObjectMetadata>, PortError> {
        self.call(Call::Inspect, |state| {
            Ok(state.objects.get(object).map(metadata_of))
        })
        .await
    }

    async fn content(&self, object: &str, max_bytes: u64) -> Result<Option<Vec<u8>>, PortError> {
        self.call(Call::Fetch, |state| {
            let found = read(state, object).map(|(_, body)| body);
            Ok(found.filter(|body| body.len() as u64 <= max_bytes))
        })
        .await
    }

    async fn discard(&self, object: &str) -> Result<(), PortError> {
        self.call(Call::Discard, |state| {
            state.objects.remove(object);
            Ok(())
        })
        .await
    }

    async fn download_url(
        &self,
        object: &str,
        content_type: &str,
        filename: &Filename,
    ) -> Result<String, PortError> {
        let disposition = filename.content_disposition();
        let parts = [DOWNLOAD, object, content_type, &disposition];
        self.call(
            Call::DownloadUrl,
            |_| Ok(parts.join(&SEPARATOR.to_string())),
        )
        .await
    }

    async fn step_artifact(
        &self,
        account: &AccountId,
        key: &StepKey,
    ) -> Result<Option<StepArtifact>, PortError> {
        let name = step_artifact_metadata_object(account, key);
        self.call(Call::KeptStep, |state| Ok(state.steps.get(&name).cloned()))
            .await
    }

    async fn fetch_step_artifact(
        &self,
        account: &AccountId,
        key: &StepKey,
        metadata_of: &StepArtifact,
        path: &Path,
    ) -> Result<bool, PortError> {
        let name = step_object(account, key, &metadata_of.sha256);
        self.call(Call::FetchStep, |state| match state.objects.get(&name) {
            Some(object) => copy_to(object, path).map(|()| true),
            None => Ok(false),
        })
        .await
    }

    async fn store_step_artifact(
        &self,
        account: &AccountId,
        key: &StepKey,
        metadata_of: &StepArtifact,
        path: &Path,
    ) -> Result<(), PortError> {
        let name = step_object(account, key, &metadata_of.sha256);
        self.call(Call::KeepStep, |state| {
            let body = std::fs::read(path).map_err(|error| unavailable(error.to_string()))?;
            let content_type = &metadata_of.content_type;
            put(state, self.directory(), &name, content_type, &body);
            let name = step_artifact_metadata_object(account, key);
            state.steps.insert(name, metadata_of.clone());
            Ok(())
        })
        .await
    }
}

impl Fakes {
    /// The keys of the stored artifacts of steps.
    #[must_use]
    pub fn stored_step_artifacts(&self) -> Vec<String> {
        let state = super::lock(&self.state);
        let objects = state.objects.keys();
        let keys = objects.filter(|name| name.starts_with("steps/"));
        keys.cloned().collect()
    }
}

/// The metadata of an object.
pub(super) fn metadata_of(object: &Object) -> ObjectMetadata {
    ObjectMetadata {
        size_bytes: object.size_bytes,
        content_type: object.content_type.clone(),
        etag: object.etag.clone(),
    }
}

/// Copies an object to `path`.
fn copy_to(object: &Object, path: &Path) -> Result<(), PortError> {
    std::fs::copy(&object.path, path)
        .map(drop)
        .map_err(|error| unavailable(error.to_string()))
}

/// Stores an object and returns its ETag.
pub(super) fn put(
    state: &mut State,
    directory: &Path,
    name: &str,
    content_type: &str,
    body: &[u8],
) -> String {
    let etag = format!("\"{}\"", hex(&Sha256::digest(body)));
    let path = directory.join(hex(&Sha256::digest(name.as_bytes())));
    std::fs::write(&path, body).expect("a writable directory");
    let object = Object {
        path,
        content_type: content_type.to_owned(),
        etag: etag.clone(),
        size_bytes: body.len() as u64,
    };
    state.objects.insert(name.to_owned(), object);
    etag
}

/// The media type and the bytes of an object.
pub(super) fn read(state: &State, name: &str) -> Option<(String, Vec<u8>)> {
    let object = state.objects.get(name)?;
    let body = std::fs::read(&object.path).expect("an existing object");
    Some((object.content_type.clone(), body))
}

/// Serves a GET of a fake URL.
pub(super) fn download(state: &State, url: &str) -> Download {
    let parts: Vec<&str> = url.split(SEPARATOR).collect();
    let response = |status, content_type: &str, disposition: &str, body| Download {
        status,
        content_type: content_type.to_owned(),
        disposition: disposition.to_owned(),
        body,
    };
    let [DOWNLOAD, name, content_type, disposition] = parts.as_slice() else {
        return response(403, "", "", Vec::new());
    };
    match read(state, name) {
        Some((_, body)) => response(200, content_type, disposition, body),
        None => response(404, "", "", Vec::new()),
    }
}
