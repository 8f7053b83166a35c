//! What work without an account needs of the world.

use async_trait::async_trait;

use super::PortError;
use crate::id::{AccountId, SourceKey};
use crate::timestamp::Timestamp;

/// Counts what is asked for without an account.
#[async_trait]
pub trait CountPublicWork: Send + Sync {
    /// Counts one more under `name` in the minute of `now`, unless there are `most` (1 or more) already; `false` then.
    async fn count_public(&self, name: &str, most: u32, now: Timestamp) -> Result<bool, PortError>;
}

/// Puts the service's own documents where uploads lie.
#[async_trait]
pub trait PutSources: Send + Sync {
    /// Stores `bytes` as the upload `source` of an account, in place of what is there.
    async fn put_source(
        &self,
        account: &AccountId,
        source: &SourceKey,
        content_type: &str,
        bytes: &[u8],
    ) -> Result<(), PortError>;
}
