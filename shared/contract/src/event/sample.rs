//! Sample events.

use domain::event::{DocumentEventData, Event, EventData, EventType, JobEventData};
use domain::id::{AccountId, DocumentId, EventId, JobId, VersionId, WebhookId};
use domain::job::{JobError, JobErrorCode, JobStatus};
use domain::subscription::{Trigger, TriggerEvent};
use domain::timestamp::Timestamp;
use serde_json::{Map, Value, json};

use super::hook_body;

/// 2026-11-20, 09:30 UTC.
const MOMENT: Timestamp = Timestamp(1_795_167_000_000);

/// Returns an event as published on the bus.
#[must_use]
pub fn event_sample(event_type: EventType) -> Event {
    Event {
        id: EventId::derive(MOMENT, event_type.name()),
        event_type,
        account_id: AccountId::derive(MOMENT, "sample"),
        occurred_at: MOMENT,
        data: match event_type {
            EventType::JobCreated => job(JobStatus::Queued, 0, 1),
            EventType::JobProcessing => job(JobStatus::Processing, 1, 2),
            EventType::JobRetrying => job(JobStatus::Retrying, 1, 3),
            EventType::JobCompleted => job(JobStatus::Completed, 1, 3),
            EventType::JobFailed => job(JobStatus::Failed, 1, 3),
            EventType::JobDeadLetter => job(JobStatus::DeadLetter, 5, 12),
            EventType::DocumentImported => EventData::Document(version(None)),
            EventType::DocumentVersionCreated => {
                EventData::Document(version(Some(JobId::derive(MOMENT, "sample"))))
            }
            EventType::DocumentDeleted => EventData::Document(DocumentEventData::of(&document())),
            EventType::WebhookTest => EventData::Webhook(domain::event::WebhookEventData {
                webhook_id: WebhookId::derive(MOMENT, "sample"),
            }),
        },
    }
}

/// Returns the body of a delivery to an automation hook.
#[must_use]
pub fn trigger_sample(trigger: Trigger) -> Value {
    let detail = trigger_detail_sample(trigger);
    let read = TriggerEvent::read(trigger.name(), &detail);
    let id = read.map(|event| event.id.to_string()).unwrap_or_default();
    Value::Object(hook_body(&id, trigger.name(), MOMENT, &data(trigger)))
}

/// Returns the `detail` that the app puts on the bus.
#[must_use]
pub fn trigger_detail_sample(trigger: Trigger) -> Value {
    json!({
        "accountId": AccountId::derive(MOMENT, "sample"),
        "id": format!("app-{trigger}-1"),
        "occurredAt": MOMENT,
        "data": data(trigger),
    })
}

fn data(trigger: Trigger) -> Map<String, Value> {
    let data = match trigger {
        Trigger::ScanCreated => {
            json!({"scanId": "scan-1", "groupId": "group-1", "filename": "Receipt.pdf", "pageCount": 1})
        }
        Trigger::PdfExported => {
            json!({"groupId": "group-1", "filename": "Receipts 2026.pdf", "pageCount": 12, "sizeBytes": 482_100})
        }
        Trigger::GeotagCaptured => {
            json!({"scanId": "scan-1", "latitude": 48.2082, "longitude": 16.3738, "accuracy": 5.0})
        }
        Trigger::TimestampCaptured => json!({"scanId": "scan-1", "capturedAt": MOMENT}),
        Trigger::OcrCompleted => {
            json!({"scanId": "scan-1", "text": "Total 24.90", "language": "en"})
        }
        Trigger::QrScanned => json!({"scanId": "scan-1", "text": "https://example.com/table/7"}),
    };
    match data {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

fn document() -> DocumentId {
    DocumentId::derive(MOMENT, "sample")
}

fn job(status: JobStatus, attempt: u32, sequence: u32) -> EventData {
    let error = |code, message| Some(JobError::new(code, message));
    EventData::Job(JobEventData {
        job_id: JobId::derive(MOMENT, "sample"),
        status,
        attempt,
        sequence,
        document_id: None,
        version_id: None,
        error: match status {
            JobStatus::Failed => error(JobErrorCode::InputCorrupt, "the document is damaged"),
            JobStatus::DeadLetter => error(
                JobErrorCode::InternalError,
                "the service could not process this job; it was not charged",
            ),
            _ => None,
        },
        metadata: Some(json!({"orderId": "4711"})),
    })
}

fn version(job: Option<JobId>) -> DocumentEventData {
    DocumentEventData {
        version_id: Some(VersionId::derive(MOMENT, "sample")),
        job_id: job,
        filename: "Contract.pdf".to_owned().try_into().ok(),
        content_type: Some("application/pdf".to_owned()),
        size_bytes: Some(48_210),
        ..DocumentEventData::of(&document())
    }
}
