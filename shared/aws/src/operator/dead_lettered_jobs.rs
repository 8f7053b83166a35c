//! Lists the dead-lettered jobs of a processor.

use domain::id::JobId;
use domain::ports::{DuePosition, PortError};
use domain::processor::Processor;
use domain::timestamp::Timestamp;

use crate::error::unavailable;
use crate::item::{Key, SERVICE};
use crate::job_item::dead_letter_shard;
use crate::keys;
use crate::services::Services;

impl Services {
    /// Returns up to `limit` jobs of `processor` after `after` that were dead-lettered until `now`, oldest first, and the
    /// position of the next page.
    ///
    /// # Errors
    /// [`PortError`] if DynamoDB fails.
    pub async fn dead_lettered_jobs(
        &self,
        processor: Processor,
        now: Timestamp,
        after: Option<&DuePosition>,
        limit: u32,
    ) -> Result<(Vec<JobId>, Option<DuePosition>), PortError> {
        let shard = dead_letter_shard(processor);
        let (found, next) = self.due_keys(shard, now, after, limit).await?;
        let job = |key: &Key| {
            keys::job_of(&key.attributes()).ok_or_else(|| {
                unavailable(
                    SERVICE,
                    "a row in the shard of dead-lettered jobs is not a job",
                )
            })
        };
        let jobs: Result<Vec<_>, _> = found.iter().map(job).collect();
        Ok((jobs?, next))
    }
}
