//! The JSON Schema of every event, for `events/schemas/`: what stands in `detail` on the bus, with its sample.

use domain::event::{DocumentEventData, EventType, JobEventData, WebhookEventData};
use domain::subscription::{
    GeotagCaptured, OcrCompleted, PdfExported, QrScanned, ScanCreated, TimestampCaptured, Trigger,
    TriggerEvent,
};
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Value, json};

use super::sample::{event_sample, trigger_detail_sample};

/// The schema of each event's detail, by the event's name.
#[must_use]
pub fn schemas() -> Vec<(&'static str, Value)> {
    let events = EventType::ALL
        .iter()
        .map(|event| (event.name(), event_schema(*event)));
    let triggers = Trigger::ALL
        .iter()
        .map(|trigger| (trigger.name(), trigger_schema(*trigger)));
    events.chain(triggers).collect()
}

fn event_schema(event: EventType) -> Value {
    let data = match event {
        EventType::JobCreated
        | EventType::JobProcessing
        | EventType::JobRetrying
        | EventType::JobCompleted
        | EventType::JobFailed
        | EventType::JobDeadLetter => schema::<JobEventData>(),
        EventType::DocumentImported
        | EventType::DocumentVersionCreated
        | EventType::DocumentDeleted => schema::<DocumentEventData>(),
        EventType::WebhookTest => schema::<WebhookEventData>(),
    };
    json!({
        "$schema": DIALECT,
        "title": event.name(),
        "description": event.description(),
        "type": "object",
        "properties": {
            "id": {"type": "string", "pattern": "^evt_", "description": "Always the same for the same happening."},
            "type": {"const": event.name()},
            "accountId": {"type": "string", "pattern": "^acc_"},
            "occurredAt": {"type": "integer", "description": "Unix milliseconds."},
            "data": data,
        },
        "required": ["id", "type", "accountId", "occurredAt", "data"],
        "examples": [event_sample(event)],
    })
}

fn trigger_schema(trigger: Trigger) -> Value {
    let mut data = match trigger {
        Trigger::ScanCreated => schema::<ScanCreated>(),
        Trigger::PdfExported => schema::<PdfExported>(),
        Trigger::GeotagCaptured => schema::<GeotagCaptured>(),
        Trigger::TimestampCaptured => schema::<TimestampCaptured>(),
        Trigger::OcrCompleted => schema::<OcrCompleted>(),
        Trigger::QrScanned => schema::<QrScanned>(),
    };
    if let Some(members) = data.as_object_mut() {
        members.insert("minProperties".to_owned(), Value::from(1));
    }
    json!({
        "$schema": DIALECT,
        "title": trigger.name(),
        "description": trigger.description(),
        "type": "object",
        "properties": {
            "accountId": {"type": "string", "pattern": "^acc_"},
            "id": {
                "type": "string", "minLength": 1, "maxLength": TriggerEvent::LONGEST_ID,
                "description": "The app's own name for the happening: put twice, it is one event.",
            },
            "occurredAt": {"type": "integer", "description": "Unix milliseconds."},
            "data": data,
        },
        "required": ["accountId", "id", "occurredAt", "data"],
        "examples": [trigger_detail_sample(trigger)],
    })
}

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

fn schema<T: JsonSchema>() -> Value {
    let schema = SchemaGenerator::default().into_root_schema_for::<T>();
    let mut schema = schema.to_value();
    if let Some(members) = schema.as_object_mut() {
        members.remove("$schema");
        members.remove("title");
    }
    schema
}
