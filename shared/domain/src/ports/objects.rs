//! The object store.

use std::path::Path;

use async_trait::async_trait;

use super::PortError;
use crate::filename::Filename;
use crate::id::AccountId;
use crate::step_cache::{StepFacts, StepKey};

/// What the object store knows about an upload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFacts {
    /// Size in bytes.
    pub size_bytes: u64,
    /// The media type that it was uploaded with.
    pub content_type: String,
    /// The entity tag.
    pub etag: String,
}

/// The objects of the store: results, the content of versions, and what the steps of pipelines left. What a step left may be
/// gone at any time.
#[async_trait]
pub trait Objects: Send + Sync {
    /// Streams `object` to `path` if it still has this entity tag; `false` when it is gone or another.
    async fn fetch(&self, object: &str, etag: &str, path: &Path) -> Result<bool, PortError>;
    /// Streams the file at `path` to `object` and returns its entity tag.
    async fn store(
        &self,
        path: &Path,
        object: &str,
        content_type: &str,
    ) -> Result<String, PortError>;
    /// Copies an object to another one, within the store, and returns the entity tag of the copy; `None` when there is
    /// nothing to copy.
    async fn copy(&self, from: &str, to: &str) -> Result<Option<String>, PortError>;
    /// The facts of an object; `None` when it is gone.
    async fn facts(&self, object: &str) -> Result<Option<SourceFacts>, PortError>;
    /// The bytes of an object; `None` when it is gone or larger than `most_bytes`.
    async fn content(&self, object: &str, most_bytes: u64) -> Result<Option<Vec<u8>>, PortError>;
    /// Removes an object; one that is gone already does not matter.
    async fn discard(&self, object: &str) -> Result<(), PortError>;
    /// A GET that answers with this type and downloads under this name.
    async fn download_url(
        &self,
        object: &str,
        content_type: &str,
        filename: &Filename,
    ) -> Result<String, PortError>;
    /// What is known about what a step left; `None` when nothing is kept.
    async fn kept_step(
        &self,
        account: &AccountId,
        key: &StepKey,
    ) -> Result<Option<StepFacts>, PortError>;
    /// Streams what a step left to `path`; `false` when it is gone. The caller checks size and hash.
    async fn fetch_step(
        &self,
        account: &AccountId,
        key: &StepKey,
        facts: &StepFacts,
        path: &Path,
    ) -> Result<bool, PortError>;
    /// Keeps the file at `path`, and what is known about it once it is there.
    async fn keep_step(
        &self,
        account: &AccountId,
        key: &StepKey,
        facts: &StepFacts,
        path: &Path,
    ) -> Result<(), PortError>;
}
