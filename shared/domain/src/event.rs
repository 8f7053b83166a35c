//! Events about jobs and saved documents.

mod document;
mod event_type;
mod job;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::{AccountId, DocumentId, EventId, JobId, WebhookId};
use crate::timestamp::Timestamp;

pub use document::DocumentEventData;
pub use event_type::EventType;
pub use job::JobEventData;

/// The `source` of every event on the bus.
pub const EVENT_SOURCE: &str = "octavo";

/// The `detail` of an event on the bus.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// Identifier: the same each time the event is sent.
    pub id: EventId,
    /// Type of the event.
    #[serde(rename = "type")]
    pub event_type: EventType,
    /// The account.
    pub account_id: AccountId,
    /// Time of the event, in Unix milliseconds.
    pub occurred_at: Timestamp,
    /// Data of the event.
    pub data: EventData,
}

/// Data of an event. It deserializes as the first variant whose required members are present; members added by newer releases
/// are ignored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum EventData {
    /// About a job.
    Job(JobEventData),
    /// About a saved document.
    Document(DocumentEventData),
    /// About a webhook that is tested.
    Webhook(WebhookEventData),
}

/// Data of a test event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookEventData {
    /// The webhook.
    pub webhook_id: WebhookId,
}

/// The subject of an event. Its outbox row shares the partition of the subject.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// A job.
    Job(JobId),
    /// A saved document.
    Document(DocumentId),
    /// A webhook.
    Webhook(WebhookId),
}

impl Subject {
    /// Returns the identifier as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Job(id) => id.as_str(),
            Self::Document(id) => id.as_str(),
            Self::Webhook(id) => id.as_str(),
        }
    }
}

impl Event {
    /// Returns the subject of the event.
    #[must_use]
    pub fn subject(&self) -> Subject {
        match &self.data {
            EventData::Job(data) => Subject::Job(data.job_id.clone()),
            EventData::Document(data) => Subject::Document(data.document_id.clone()),
            EventData::Webhook(data) => Subject::Webhook(data.webhook_id.clone()),
        }
    }

    /// Creates a test event for a webhook; `random` makes its identifier unique.
    #[must_use]
    pub fn webhook_test(
        account: &AccountId,
        webhook: &WebhookId,
        now: Timestamp,
        random: u128,
    ) -> Self {
        Self {
            id: EventId::mint(now, random),
            event_type: EventType::WebhookTest,
            account_id: account.clone(),
            occurred_at: now,
            data: EventData::Webhook(WebhookEventData {
                webhook_id: webhook.clone(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::JobStatus;

    fn read_back(data: &EventData) -> EventData {
        serde_json::from_str(&serde_json::to_string(data).unwrap()).unwrap()
    }

    #[test]
    fn the_subject_follows_from_the_members() {
        let job = EventData::Job(JobEventData {
            job_id: JobId::mint(Timestamp(1), 1),
            status: JobStatus::Completed,
            attempt: 1,
            sequence: 3,
            document_id: Some(DocumentId::mint(Timestamp(1), 1)),
            version_id: None,
            error: None,
            metadata: None,
        });
        let document = EventData::Document(DocumentEventData {
            job_id: Some(JobId::mint(Timestamp(1), 1)),
            ..DocumentEventData::of(&DocumentId::mint(Timestamp(1), 1))
        });
        let webhook = EventData::Webhook(WebhookEventData {
            webhook_id: WebhookId::mint(Timestamp(1), 1),
        });
        for data in [job, document, webhook] {
            assert_eq!(read_back(&data), data);
        }
    }

    #[test]
    fn members_of_a_newer_release_are_ignored() {
        let document = EventData::Document(DocumentEventData {
            job_id: Some(JobId::mint(Timestamp(1), 1)),
            ..DocumentEventData::of(&DocumentId::mint(Timestamp(1), 1))
        });
        let webhook = EventData::Webhook(WebhookEventData {
            webhook_id: WebhookId::mint(Timestamp(1), 1),
        });
        for data in [document, webhook] {
            let mut newer = serde_json::to_value(&data).unwrap();
            newer["pages"] = serde_json::json!(3);
            assert_eq!(serde_json::from_value::<EventData>(newer).unwrap(), data);
        }
    }

    #[test]
    fn an_event_of_the_previous_release_has_no_sequence_and_is_read() {
        let id = JobId::mint(Timestamp(1), 1);
        let old = format!(r#"{{"jobId":"{id}","status":"queued","attempt":0}}"#);
        let data: EventData = serde_json::from_str(&old).unwrap();
        assert!(matches!(data, EventData::Job(data) if data.sequence == 0));
    }
}
