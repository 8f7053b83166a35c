//! Objects, stored as files of a directory.

use std::path::Path;

use async_trait::async_trait;
use domain::filename::Filename;
use domain::id::AccountId;
use domain::ports::{ObjectMetadata, Objects, PortError, PresignedGet, StoredObject, UploadForm};
use domain::step_cache::{StepArtifact, StepKey, step_artifact_metadata_object, step_object};

use super::state::State;
use super::stored_files::{SEPARATOR, metadata_of, put, read, read_if_match};
use super::{Call, Fakes, presigned, unavailable};
use crate::environment::Download;

pub(super) const UPLOAD: &str = "fake:upload";
const DOWNLOAD: &str = "fake:download";

#[async_trait]
impl Objects for Fakes {
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

    async fn copy(&self, from: &str, etag: &str, to: &str) -> Result<Option<String>, PortError> {
        self.call(Call::Copy, |state| {
            let found = read_if_match(state, from, etag);
            Ok(found
                .map(|(content_type, body)| put(state, self.directory(), to, &content_type, &body)))
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

    async fn cache_step_artifact(
        &self,
        account: &AccountId,
        key: &StepKey,
        artifact: &StepArtifact,
        object: &str,
        etag: &str,
    ) -> Result<bool, PortError> {
        let name = step_object(account, key, &artifact.sha256);
        self.call(Call::KeepStep, |state| {
            let Some((content_type, body)) = read_if_match(state, object, etag) else {
                return Ok(false);
            };
            put(state, self.directory(), &name, &content_type, &body);
            let name = step_artifact_metadata_object(account, key);
            state.steps.insert(name, artifact.clone());
            Ok(true)
        })
        .await
    }

    async fn stored(&self, object: &str) -> Result<Option<StoredObject>, PortError> {
        self.call(Call::Stored, |state| {
            let found = state.objects.get(object).map(metadata_of);
            Ok(found.zip(read(state, object)).map(stored_object))
        })
        .await
    }

    async fn first_bytes(
        &self,
        object: &str,
        max_bytes: u64,
    ) -> Result<Option<Vec<u8>>, PortError> {
        let max_bytes = usize::try_from(max_bytes).unwrap_or(usize::MAX);
        self.call(Call::FirstBytes, |state| {
            Ok(read(state, object).map(|(_, mut body)| {
                body.truncate(max_bytes);
                body
            }))
        })
        .await
    }

    async fn input_request(&self, object: &str, etag: &str) -> Result<PresignedGet, PortError> {
        self.call(Call::InputRequest, |_| {
            Ok(presigned::input_request(object, etag))
        })
        .await
    }

    async fn output_form(&self, object: &str, max_bytes: u64) -> Result<UploadForm, PortError> {
        self.call(Call::OutputForm, |_| {
            Ok(presigned::output_form(object, max_bytes))
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

fn stored_object((metadata, (_, body)): (ObjectMetadata, (String, Vec<u8>))) -> StoredObject {
    StoredObject {
        size_bytes: metadata.size_bytes,
        content_type: metadata.content_type,
        etag: metadata.etag,
        crc64nvme: Some(presigned::crc64nvme(&body)),
    }
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
