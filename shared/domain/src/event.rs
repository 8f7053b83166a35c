//! Events: what the world is told about a job.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::id::{AccountId, EventId, JobId};
use crate::job::{Job, JobError, JobStatus};
use crate::timestamp::Timestamp;

/// What happened. The name is the detail type on the bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub enum EventType {
    /// A job was accepted.
    #[serde(rename = "job.created")]
    JobCreated,
    /// A processor took it.
    #[serde(rename = "job.processing")]
    JobProcessing,
    /// Another attempt is due.
    #[serde(rename = "job.retrying")]
    JobRetrying,
    /// The result is there.
    #[serde(rename = "job.completed")]
    JobCompleted,
    /// The input or the request is at fault, or the job was cancelled.
    #[serde(rename = "job.failed")]
    JobFailed,
    /// The service gave up.
    #[serde(rename = "job.dead_letter")]
    JobDeadLetter,
}

impl EventType {
    /// The detail type on the bus.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::JobCreated => "job.created",
            Self::JobProcessing => "job.processing",
            Self::JobRetrying => "job.retrying",
            Self::JobCompleted => "job.completed",
            Self::JobFailed => "job.failed",
            Self::JobDeadLetter => "job.dead_letter",
        }
    }
}

/// What an event says about its job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobEventData {
    /// The job.
    pub job_id: JobId,
    /// Its status at that moment.
    pub status: JobStatus,
    /// The attempt that it belongs to; 0 before the first.
    pub attempt: u32,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<JobError>,
    /// The client's own data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Value>,
}

/// The detail of an event on the bus.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// Always the same for the same happening, however often it is sent.
    pub id: EventId,
    /// What happened.
    #[serde(rename = "type")]
    pub event_type: EventType,
    /// The account that it concerns.
    pub account_id: AccountId,
    /// When it happened, in Unix milliseconds.
    pub occurred_at: Timestamp,
    /// What is said about it.
    pub data: JobEventData,
}

/// The source of every event that this service puts on the bus.
pub const EVENT_SOURCE: &str = "octavo";

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
            data: JobEventData {
                job_id: job.id.clone(),
                status: job.status,
                attempt: job.attempt,
                error: job.error.clone(),
                metadata: job.metadata.clone(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_agree_with_their_json() {
        for event_type in [
            EventType::JobCreated,
            EventType::JobProcessing,
            EventType::JobRetrying,
            EventType::JobCompleted,
            EventType::JobFailed,
            EventType::JobDeadLetter,
        ] {
            assert_eq!(serde_json::to_value(event_type).unwrap(), event_type.name());
        }
    }
}
