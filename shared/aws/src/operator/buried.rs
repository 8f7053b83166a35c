//! Finding the jobs of a processor that were buried.

use domain::id::JobId;
use domain::operation::Processor;
use domain::ports::PortError;
use domain::timestamp::Timestamp;

use crate::error::unavailable;
use crate::item::SERVICE;
use crate::job_item::buried_shard;
use crate::keys;
use crate::services::Services;

impl Services {
    /// Up to `limit` jobs of `processor` that were buried until `now`, the longest buried first.
    ///
    /// # Errors
    /// [`PortError`] when the table does not answer.
    pub async fn buried(
        &self,
        processor: Processor,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<JobId>, PortError> {
        let found = self.due_keys(buried_shard(processor), now, limit).await?;
        found
            .iter()
            .map(|key| {
                keys::job_of(&key.attributes())
                    .ok_or_else(|| unavailable(SERVICE, "a buried row that is no job"))
            })
            .collect()
    }
}
