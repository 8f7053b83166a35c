//! The object store.

use std::path::Path;

use async_trait::async_trait;

use super::{PortError, PresignedGet, UploadForm};
use crate::filename::Filename;
use crate::id::AccountId;
use crate::step_cache::{StepArtifact, StepKey};

/// Metadata of a stored object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectMetadata {
    /// Size in bytes.
    pub size_bytes: u64,
    /// Media type of the upload.
    pub content_type: String,
    /// Entity tag.
    pub etag: String,
}

/// A stored object with the checksum that the store computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredObject {
    /// Size in bytes.
    pub size_bytes: u64,
    /// Media type of the upload.
    pub content_type: String,
    /// Entity tag.
    pub etag: String,
    /// CRC-64/NVME of the whole object in Base64; `None` if the store has none.
    pub crc64nvme: Option<String>,
}

impl StoredObject {
    /// Returns whether it is the artifact of this record.
    #[must_use]
    pub fn is(&self, artifact: &StepArtifact) -> bool {
        self.size_bytes == artifact.size_bytes
            && self.crc64nvme.is_some()
            && self.crc64nvme == artifact.crc64nvme
    }
}

/// The object store: results, content of versions, and artifacts of pipeline steps. An artifact may expire at any time.
#[async_trait]
pub trait Objects: Send + Sync {
    /// Streams the file at `path` to `object` and returns its entity tag.
    async fn store(
        &self,
        path: &Path,
        object: &str,
        content_type: &str,
    ) -> Result<String, PortError>;
    /// Copies an object within the store if it still has this entity tag, and returns the entity tag of the copy; `None` if
    /// it was deleted or replaced.
    async fn copy(&self, from: &str, etag: &str, to: &str) -> Result<Option<String>, PortError>;
    /// Returns the metadata of an object; `None` if it does not exist.
    async fn metadata(&self, object: &str) -> Result<Option<ObjectMetadata>, PortError>;
    /// Returns the content of an object; `None` if it does not exist or is larger than `max_bytes`.
    async fn content(&self, object: &str, max_bytes: u64) -> Result<Option<Vec<u8>>, PortError>;
    /// Deletes an object, if it exists.
    async fn discard(&self, object: &str) -> Result<(), PortError>;
    /// Presigns a GET with this response type and download name.
    async fn download_url(
        &self,
        object: &str,
        content_type: &str,
        filename: &Filename,
    ) -> Result<String, PortError>;
    /// Returns the metadata of a cached step artifact; `None` if none is cached.
    async fn step_artifact(
        &self,
        account: &AccountId,
        key: &StepKey,
    ) -> Result<Option<StepArtifact>, PortError>;
    /// Copies `object` to the cache as a step artifact if it still has this entity tag, then stores its metadata; `false`
    /// if it was deleted or replaced.
    async fn cache_step_artifact(
        &self,
        account: &AccountId,
        key: &StepKey,
        artifact: &StepArtifact,
        object: &str,
        etag: &str,
    ) -> Result<bool, PortError>;
    /// Returns size, type and checksum of an object; `None` if it does not exist.
    async fn stored(&self, object: &str) -> Result<Option<StoredObject>, PortError>;
    /// Returns the first bytes of an object, at most `max_bytes`; `None` if it does not exist.
    async fn first_bytes(&self, object: &str, max_bytes: u64)
    -> Result<Option<Vec<u8>>, PortError>;
    /// Presigns a GET for an engine function, bound to the entity tag.
    async fn input_request(&self, object: &str, etag: &str) -> Result<PresignedGet, PortError>;
    /// Signs a form with which an engine function uploads `object`, at most `max_bytes`.
    async fn output_form(&self, object: &str, max_bytes: u64) -> Result<UploadForm, PortError>;
}
