//! Reading small results whole, for those who hand them out themselves.

use async_trait::async_trait;

use super::PortError;

/// Reads results into memory.
#[async_trait]
pub trait ReadResults: Send + Sync {
    /// The bytes of an object; `None` when it is gone or has more than `most`.
    async fn read_result(&self, object: &str, most: u64) -> Result<Option<Vec<u8>>, PortError>;
}
