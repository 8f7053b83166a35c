//! Uploads.

use async_trait::async_trait;

use super::{PortError, SourceFacts};
use crate::id::{AccountId, SourceKey};
use crate::timestamp::Timestamp;

/// An authorised upload.
#[derive(Clone, PartialEq, Eq)]
pub struct UploadGrant {
    /// The presigned URL.
    pub url: String,
    /// The headers that must be sent as they are, in order.
    pub headers: Vec<(String, String)>,
    /// When the URL stops working.
    pub expires_at: Timestamp,
}

impl std::fmt::Debug for UploadGrant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("UploadGrant(***)")
    }
}

/// What an earlier request with the same idempotency key left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remembered {
    /// Nothing: this request is the first.
    New,
    /// The same request: the source that it was given.
    Replayed(SourceKey),
    /// Another request.
    KeyReused,
}

/// Uploads of clients, and the service's own documents beside them.
#[async_trait]
pub trait Uploads: Send + Sync {
    /// The facts of an account's upload; `None` when it is unknown, another account's, or was never uploaded.
    async fn inspect(
        &self,
        account: &AccountId,
        source: &SourceKey,
    ) -> Result<Option<SourceFacts>, PortError>;
    /// A PUT of exactly this type and size to an object that does not exist yet.
    async fn upload_url(
        &self,
        account: &AccountId,
        source: &SourceKey,
        content_type: &str,
        size_bytes: u64,
        now: Timestamp,
    ) -> Result<UploadGrant, PortError>;
    /// Records `source` of `account` under `fingerprint` unless something that has not expired at `now` is recorded
    /// there.
    async fn remember(
        &self,
        account: &AccountId,
        fingerprint: &str,
        body_hash: &str,
        source: &SourceKey,
        now: Timestamp,
        expires_at: Timestamp,
    ) -> Result<Remembered, PortError>;
    /// Stores `bytes` as the upload `source` of an account, in place of what is there.
    async fn put_source(
        &self,
        account: &AccountId,
        source: &SourceKey,
        content_type: &str,
        bytes: &[u8],
    ) -> Result<(), PortError>;
}
