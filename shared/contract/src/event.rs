//! Bodies of deliveries, the catalog of events, and samples.

mod sample;
mod schemas;

use domain::event::{DocumentEventData, Event, EventData, JobEventData, WebhookEventData};
use domain::id::EventId;
use domain::job::{JobError, JobStatus};
use domain::subscription::{Payload, TriggerEvent};
use domain::timestamp::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use sample::{event_sample, trigger_detail_sample, trigger_sample};
pub use schemas::schemas;

use crate::document::document_url;
use crate::job::{result_url, status_url};

/// Body of a webhook delivery, as defined by Standard Webhooks 1.0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WebhookBody {
    /// Identifier of the event: the same in every delivery of it, and equal to the header `webhook-id`.
    pub id: EventId,
    /// Type of the event.
    #[serde(rename = "type")]
    pub event_type: String,
    /// Time of the event, RFC 3339 in UTC.
    pub timestamp: String,
    /// Data of the event, by its subject.
    pub data: WebhookData,
}

/// Data of an event, by its subject.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum WebhookData {
    /// A job.
    Job(JobData),
    /// A saved document.
    Document(DocumentData),
    /// The webhook itself.
    Webhook(WebhookEventData),
}

/// Data of a job event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobData {
    /// Identifier of the job.
    pub job_id: String,
    /// Status of the job at the time of the event.
    pub status: JobStatus,
    /// Path of the job.
    pub status_url: String,
    /// Path of the result; only for completed jobs.
    pub result_url: String,
    /// Number of the attempt; 0 before the first.
    pub attempt: u32,
    /// Sequence number of the event within its job. Later events have larger numbers.
    pub sequence: u32,
    /// The saved document that is processed or receives the result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document_id: Option<String>,
    /// The version that is processed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version_id: Option<String>,
    /// The error of a failed job.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<JobError>,
    /// The `metadata` of the job, unchanged; `null` if none was given.
    pub metadata: Option<Value>,
}

/// Data of a document event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DocumentData {
    /// Document, version, and data of the version.
    #[serde(flatten)]
    pub about: DocumentEventData,
    /// Path of the document.
    pub document_url: String,
}

/// Returns the payload of an event for webhooks. The same event always yields the same bytes.
#[must_use]
pub fn webhook_payload(event: &Event) -> Payload {
    let body = WebhookBody {
        id: event.id.clone(),
        event_type: event.event_type.name().to_owned(),
        timestamp: event.occurred_at.to_string(),
        data: match &event.data {
            EventData::Job(data) => WebhookData::Job(job_data(data)),
            EventData::Document(data) => WebhookData::Document(document_data(data)),
            EventData::Webhook(data) => WebhookData::Webhook(data.clone()),
        },
    };
    Payload {
        event_id: event.id.clone(),
        event: event.event_type.name().to_owned(),
        body: serde_json::json!(body).to_string(),
    }
}

/// Returns the payload of a trigger event for automation hooks: a flat object.
#[must_use]
pub fn hook_payload(event: &TriggerEvent) -> Payload {
    let body = hook_body(
        event.id.as_str(),
        event.trigger.name(),
        event.occurred_at,
        &event.data,
    );
    Payload {
        event_id: event.id.clone(),
        event: event.trigger.name().to_owned(),
        body: Value::Object(body).to_string(),
    }
}

/// Returns `{id, event, createdAt, …data}`. Members of the data with these three names are dropped.
fn hook_body(
    id: &str,
    event: &str,
    created_at: Timestamp,
    data: &Map<String, Value>,
) -> Map<String, Value> {
    let envelope = [
        ("id", Value::from(id)),
        ("event", Value::from(event)),
        ("createdAt", Value::from(created_at.milliseconds())),
    ];
    let mut body: Map<_, _> = envelope
        .map(|(name, value)| (name.to_owned(), value))
        .into_iter()
        .collect();
    for (name, value) in data {
        body.entry(name).or_insert_with(|| value.clone());
    }
    body
}

fn job_data(data: &JobEventData) -> JobData {
    JobData {
        job_id: data.job_id.to_string(),
        status: data.status,
        status_url: status_url(&data.job_id),
        result_url: result_url(&data.job_id),
        attempt: data.attempt,
        sequence: data.sequence,
        document_id: data.document_id.as_ref().map(ToString::to_string),
        version_id: data.version_id.as_ref().map(ToString::to_string),
        error: data.error.clone(),
        metadata: data.metadata.clone(),
    }
}

fn document_data(data: &DocumentEventData) -> DocumentData {
    DocumentData {
        about: data.clone(),
        document_url: document_url(&data.document_id),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::event::EventType;
    use domain::subscription::Trigger;
    use serde_json::json;

    fn body(payload: &Payload) -> Value {
        serde_json::from_str(&payload.body).unwrap()
    }

    #[test]
    fn the_body_of_a_webhook_has_identifier_type_time_and_data() {
        let event = event_sample(EventType::JobCompleted);
        let payload = webhook_payload(&event);
        let EventData::Job(data) = &event.data else {
            panic!("not of a job");
        };
        let job = &data.job_id;
        assert_eq!(
            body(&payload),
            json!({
                "id": event.id, "type": "job.completed", "timestamp": event.occurred_at.to_string(),
                "data": {
                    "jobId": job, "status": "completed", "statusUrl": format!("/api/v1/jobs/{job}"),
                    "resultUrl": format!("/api/v1/jobs/{job}/result"), "attempt": 1, "sequence": 3,
                    "metadata": data.metadata,
                },
            })
        );
        assert_eq!(payload, webhook_payload(&event));
    }

    #[test]
    fn every_sample_has_its_event_type() {
        for event_type in EventType::ALL {
            let event = event_sample(*event_type);
            assert_eq!(event.event_type, *event_type);
            let read: WebhookBody = serde_json::from_str(&webhook_payload(&event).body).unwrap();
            assert_eq!(read.event_type, event_type.name());
        }
        for trigger in Trigger::ALL {
            let detail = trigger_detail_sample(*trigger);
            let event = TriggerEvent::read(trigger.name(), &detail).unwrap();
            let sent = body(&hook_payload(&event));
            assert_eq!(sent, trigger_sample(*trigger));
            assert_eq!(sent["event"], trigger.name());
        }
    }

    #[test]
    fn the_body_of_a_hook_is_flat_and_data_cannot_replace_the_envelope() {
        let mut detail = trigger_detail_sample(Trigger::QrScanned);
        detail["data"] = json!({"text": "a", "id": "forged", "event": "forged", "extra": [1]});
        let event = TriggerEvent::read("qr.scanned", &detail).unwrap();
        assert_eq!(
            body(&hook_payload(&event)),
            json!({"id": event.id, "event": "qr.scanned", "createdAt": detail["occurredAt"], "text": "a", "extra": [1]})
        );
    }
}
