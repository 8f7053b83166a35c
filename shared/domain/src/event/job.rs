//! Events of jobs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Event, EventData, EventType};
use crate::id::{DocumentId, EventId, JobId, VersionId};
use crate::job::{Job, JobError, JobStatus};

/// What an event says about its job.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobEventData {
    /// The job.
    pub job_id: JobId,
    /// Its status at that moment.
    pub status: JobStatus,
    /// The attempt that it belongs to; 0 before the first.
    pub attempt: u32,
    /// Orders the events of one job: each is larger than those before it. 0 in events of earlier releases.
    #[serde(default)]
    pub sequence: u32,
    /// The saved document that is processed or gets the result.
    pub document_id: Option<DocumentId>,
    /// The version that is processed.
    pub version_id: Option<VersionId>,
    /// Why it failed.
    pub error: Option<JobError>,
    /// The client's own data.
    pub metadata: Option<Value>,
}

impl Event {
    /// The event that `job`, as it is after a move, gives rise to. The same move always gives the same identifier.
    #[must_use]
    pub fn of_job(event_type: EventType, job: &Job) -> Self {
        let occurred_at = job.updated_at;
        let name = format!(
            "{}/{}/{}/{}",
            job.id,
            event_type.name(),
            job.attempt,
            occurred_at.milliseconds()
        );
        Self {
            id: EventId::derive(occurred_at, &name),
            event_type,
            account_id: job.account_id.clone(),
            occurred_at,
            data: EventData::Job(JobEventData::of(job)),
        }
    }
}

impl JobEventData {
    /// What is said of a job. Each move writes a line of its timeline, so their number orders its events.
    fn of(job: &Job) -> Self {
        let work = job.document.as_ref();
        Self {
            job_id: job.id.clone(),
            status: job.status,
            attempt: job.attempt,
            sequence: u32::try_from(job.timeline.len()).unwrap_or(u32::MAX),
            document_id: work.map(|work| work.document.clone()),
            version_id: work.map(|work| work.version.clone()),
            error: job.error.clone(),
            metadata: job.metadata.clone(),
        }
    }
}
