//! Finding the jobs of a processor that were buried.

use domain::id::JobId;
use domain::ports::{DuePosition, PortError};
use domain::processor::Processor;
use domain::timestamp::Timestamp;

use crate::error::unavailable;
use crate::item::{Key, SERVICE};
use crate::job_item::buried_shard;
use crate::keys;
use crate::services::Services;

impl Services {
    /// Jobs of `processor` that were buried until `now`, the longest buried first: up to `limit` behind `after`, and
    /// where to go on.
    ///
    /// # Errors
    /// [`PortError`] when the table does not answer.
    pub async fn buried(
        &self,
        processor: Processor,
        now: Timestamp,
        after: Option<&DuePosition>,
        limit: u32,
    ) -> Result<(Vec<JobId>, Option<DuePosition>), PortError> {
        let shard = buried_shard(processor);
        let (found, next) = self.due_keys(shard, now, after, limit).await?;
        let job = |key: &Key| {
            keys::job_of(&key.attributes())
                .ok_or_else(|| unavailable(SERVICE, "a buried row that is no job"))
        };
        let jobs: Result<Vec<_>, _> = found.iter().map(job).collect();
        Ok((jobs?, next))
    }
}
