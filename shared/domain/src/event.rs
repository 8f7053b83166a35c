//! Events: what the world is told about jobs and saved documents.

mod document;
mod job;
mod kind;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::{AccountId, DocumentId, EventId, JobId, WebhookId};
use crate::timestamp::Timestamp;

pub use document::DocumentEventData;
pub use job::JobEventData;
pub use kind::EventType;

/// The source of every event that this service puts on the bus.
pub const EVENT_SOURCE: &str = "octavo";

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
    pub data: EventData,
}

/// What an event says, by what it is about: it is read as the first of these whose required members it has. What a newer
/// release says besides is passed over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum EventData {
    /// A job.
    Job(JobEventData),
    /// A saved document.
    Document(DocumentEventData),
    /// A webhook that is tried out.
    Webhook(WebhookEventData),
}

/// What a trial event says about its webhook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookEventData {
    /// The webhook.
    pub webhook_id: WebhookId,
}

/// What an event is about. Its outbox row lies beside that.
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
    /// The identifier as text.
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
    /// What the event is about.
    #[must_use]
    pub fn subject(&self) -> Subject {
        match &self.data {
            EventData::Job(data) => Subject::Job(data.job_id.clone()),
            EventData::Document(data) => Subject::Document(data.document_id.clone()),
            EventData::Webhook(data) => Subject::Webhook(data.webhook_id.clone()),
        }
    }

    /// A trial of one webhook; `random` makes each another event.
    #[must_use]
    pub fn trial(account: &AccountId, webhook: &WebhookId, now: Timestamp, random: u128) -> Self {
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
    fn what_an_event_is_about_is_told_by_its_members() {
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
    fn what_a_newer_release_says_besides_is_passed_over() {
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
