//! Data of job events.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Event, EventData, EventType};
use crate::id::{DocumentId, EventId, JobId, VersionId};
use crate::job::{Job, JobError, JobStatus};

/// Data of a job event.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobEventData {
    /// The job.
    pub job_id: JobId,
    /// Status of the job at the time of the event.
    pub status: JobStatus,
    /// Number of the attempt; 0 before the first.
    pub attempt: u32,
    /// Sequence number: orders the events of one job. 0 in events of earlier releases.
    #[serde(default)]
    pub sequence: u32,
    /// The saved document that is processed or receives the result.
    pub document_id: Option<DocumentId>,
    /// The version that is processed.
    pub version_id: Option<VersionId>,
    /// The error of a failed job.
    pub error: Option<JobError>,
    /// Client data.
    pub metadata: Option<Value>,
}

impl Event {
    /// Creates the event of the transition that produced `job`. The same transition always yields the same identifier.
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
    /// Returns the data of a job event. Each transition appends a timeline entry, so their number is the sequence number.
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
