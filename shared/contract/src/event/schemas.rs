//! JSON Schemas of events, for `events/schemas/`: the `detail` on the bus, with a sample.

use domain::event::{DocumentEventData, EventType, JobEventData, WebhookEventData};
use domain::subscription::{
    GeotagCaptured, OcrCompleted, PdfExported, QrScanned, ScanCreated, TimestampCaptured, Trigger,
    TriggerEvent,
};
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::sample::{event_sample, trigger_detail_sample};

/// Returns the schema of each event's detail, by event type.
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
    let members = json!({
        "id": {"type": "string", "pattern": "^evt_", "description": "Identifier of the event, the same each time it is sent."},
        "type": {"const": event.name()},
        "accountId": {"type": "string", "pattern": "^acc_"},
        "occurredAt": {"type": "integer", "description": "Unix milliseconds."},
        "data": event_data(event),
    });
    let named = (event.name(), event.description());
    detail_schema(named, members, json!(event_sample(event)))
}

fn event_data(event: EventType) -> Value {
    match event {
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
    }
}

fn trigger_schema(trigger: Trigger) -> Value {
    let members = json!({
        "accountId": {"type": "string", "pattern": "^acc_"},
        "id": {
            "type": "string", "minLength": 1, "maxLength": TriggerEvent::MAX_ID_LENGTH,
            "description": "Identifier of the event in the app. Events with the same identifier are delivered once.",
        },
        "occurredAt": {
            "type": "integer", "minimum": 0, "maximum": TriggerEvent::LATEST,
            "description": "Unix milliseconds, up to the end of the year 9999.",
        },
        "data": trigger_data(trigger),
    });
    let named = (trigger.name(), trigger.description());
    detail_schema(named, members, trigger_detail_sample(trigger))
}

fn trigger_data(trigger: Trigger) -> Value {
    let mut data = match trigger {
        Trigger::ScanCreated => schema::<ScanCreated>(),
        Trigger::PdfExported => schema::<PdfExported>(),
        Trigger::GeotagCaptured => schema::<GeotagCaptured>(),
        Trigger::TimestampCaptured => schema::<TimestampCaptured>(),
        Trigger::OcrCompleted => schema::<OcrCompleted>(),
        Trigger::QrScanned => schema::<QrScanned>(),
    };
    put(&mut data, "minProperties", Value::from(1));
    data
}

/// Returns the schema of a detail whose members are all required. Definitions referenced by `data` are moved to the root,
/// where references resolve.
fn detail_schema((name, description): (&str, &str), mut members: Value, example: Value) -> Value {
    let definitions = members.get_mut("data").and_then(|data| take(data, "$defs"));
    let required = members.as_object().into_iter().flat_map(Map::keys);
    let required: Vec<_> = required.cloned().collect();
    let mut schema = json!({
        "$schema": DIALECT,
        "title": name,
        "description": description,
        "type": "object",
        "properties": members,
        "required": required,
        "examples": [example],
    });
    if let Some(definitions) = definitions {
        put(&mut schema, "$defs", definitions);
    }
    schema
}

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

fn schema<T: JsonSchema>() -> Value {
    let schema = SchemaGenerator::default().into_root_schema_for::<T>();
    let mut schema = schema.to_value();
    take(&mut schema, "$schema");
    take(&mut schema, "title");
    schema
}

fn put(schema: &mut Value, member: &str, value: Value) {
    if let Some(members) = schema.as_object_mut() {
        members.insert(member.to_owned(), value);
    }
}

fn take(schema: &mut Value, member: &str) -> Option<Value> {
    schema.as_object_mut()?.shift_remove(member)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the published schema and sample of each event.
    fn published() -> Vec<(&'static str, jsonschema::Validator, Value)> {
        let compiled = |(name, schema): (&'static str, Value)| {
            let validator = jsonschema::draft202012::new(&schema);
            let validator = validator.unwrap_or_else(|error| panic!("{name}: {error}"));
            (name, validator, schema["examples"][0].clone())
        };
        schemas().into_iter().map(compiled).collect()
    }

    #[test]
    fn every_schema_accepts_its_example_and_unknown_members() {
        let all = published();
        assert_eq!(all.len(), EventType::ALL.len() + Trigger::ALL.len());
        for (name, schema, mut example) in all {
            schema
                .validate(&example)
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            example["later"] = json!(1);
            example["data"]["later"] = json!({"more": true});
            assert!(schema.is_valid(&example), "{name}");
        }
    }

    #[test]
    fn schemas_and_service_accept_the_same_trigger_times() {
        let all = published();
        let triggers = all
            .iter()
            .filter(|(name, ..)| name.parse::<Trigger>().is_ok());
        let latest = TriggerEvent::LATEST.milliseconds();
        for (name, schema, example) in triggers {
            for (at, taken) in [(-1, false), (0, true), (latest, true), (latest + 1, false)] {
                let mut dated = example.clone();
                dated["occurredAt"] = json!(at);
                assert_eq!(schema.is_valid(&dated), taken, "{name} at {at}");
                let read = TriggerEvent::read(name, &dated);
                assert_eq!(read.is_ok(), taken, "{name} at {at}");
            }
        }
    }

    #[test]
    fn no_schema_accepts_another_event() {
        for (name, schema, example) in published() {
            for member in example.as_object().unwrap().keys() {
                let mut without = example.clone();
                without.as_object_mut().unwrap().remove(member);
                assert!(!schema.is_valid(&without), "{name} without {member}");
                let mut other = example.clone();
                other[member] = json!(["another type"]);
                assert!(!schema.is_valid(&other), "{name}: {member}");
            }
            let known: Vec<_> = example["data"].as_object().unwrap().keys().collect();
            for member in known.into_iter().filter(|member| *member != "metadata") {
                let mut other = example.clone();
                other["data"][member] = json!(["another type"]);
                assert!(!schema.is_valid(&other), "{name}: data.{member}");
            }
        }
    }
}
