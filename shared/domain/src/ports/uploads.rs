//! Uploads.

use async_trait::async_trait;

use super::{ObjectMetadata, PortError};
use crate::id::{AccountId, SourceKey};
use crate::timestamp::Timestamp;

/// An upload authorization.
#[derive(Clone, PartialEq, Eq)]
pub struct UploadGrant {
    /// The presigned URL.
    pub url: String,
    /// Headers that the upload must send unchanged, in order.
    pub headers: Vec<(String, String)>,
    /// Expiry of the URL.
    pub expires_at: Timestamp,
}

impl std::fmt::Debug for UploadGrant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("UploadGrant(***)")
    }
}

/// What an earlier request with the same idempotency key created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordedUpload {
    /// Nothing: this is the first request.
    New,
    /// The request was the same: its source.
    Replayed(SourceKey),
    /// The request was different.
    KeyReused,
}

/// Uploads of clients, and documents that the service stores as uploads.
#[async_trait]
pub trait Uploads: Send + Sync {
    /// Returns the metadata of an account's upload; `None` if it is unknown, belongs to another account, or was never
    /// uploaded.
    async fn inspect(
        &self,
        account: &AccountId,
        source: &SourceKey,
    ) -> Result<Option<ObjectMetadata>, PortError>;
    /// Presigns a PUT of exactly this type and size to a new object.
    async fn upload_url(
        &self,
        account: &AccountId,
        source: &SourceKey,
        content_type: &str,
        size_bytes: u64,
        now: Timestamp,
    ) -> Result<UploadGrant, PortError>;
    /// Records `source` under `fingerprint` unless an unexpired row exists.
    async fn record_upload(
        &self,
        account: &AccountId,
        fingerprint: &str,
        body_hash: &str,
        source: &SourceKey,
        now: Timestamp,
        expires_at: Timestamp,
    ) -> Result<RecordedUpload, PortError>;
    /// Stores `bytes` as the upload `source` of an account, replacing existing content.
    async fn put_source(
        &self,
        account: &AccountId,
        source: &SourceKey,
        content_type: &str,
        bytes: &[u8],
    ) -> Result<(), PortError>;
}
