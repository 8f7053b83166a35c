//! Events to the bus.

use async_trait::async_trait;
use aws_sdk_eventbridge::primitives::DateTime;
use aws_sdk_eventbridge::types::{PutEventsRequestEntry, PutEventsResultEntry};
use domain::event::{EVENT_SOURCE, Event};
use domain::id::EventId;
use domain::ports::{Events, PortError};

use crate::error::{failed, unavailable};
use crate::services::Services;

const SERVICE: &str = "events";
/// Most entries of one PutEvents.
const AT_ONCE: usize = 10;

#[async_trait]
impl Events for Services {
    async fn publish(&self, events: &[Event]) -> Result<Vec<EventId>, PortError> {
        let mut taken = Vec::new();
        for batch in events.chunks(AT_ONCE) {
            match self.put(batch).await {
                Ok(ids) => taken.extend(ids),
                // What the bus took before is known and must not be published again.
                Err(error) if !taken.is_empty() => {
                    tracing::warn!(%error, "the bus took only a part of the events");
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(taken)
    }
}

impl Services {
    async fn put(&self, events: &[Event]) -> Result<Vec<EventId>, PortError> {
        let bus = self.bus()?;
        let entries: Result<Vec<_>, _> = events.iter().map(|event| entry(bus, event)).collect();
        let answer = self
            .buses()
            .put_events()
            .set_entries(Some(entries?))
            .send()
            .await
            .map_err(|error| failed(SERVICE, &error))?;
        taken(events, answer.entries())
    }
}

fn entry(bus: &str, event: &Event) -> Result<PutEventsRequestEntry, PortError> {
    let detail = serde_json::to_string(event)
        .map_err(|error| unavailable(SERVICE, format!("an event cannot be written: {error}")))?;
    Ok(PutEventsRequestEntry::builder()
        .event_bus_name(bus)
        .source(EVENT_SOURCE)
        .detail_type(event.event_type.name())
        .detail(detail)
        .time(DateTime::from_millis(event.occurred_at.milliseconds()))
        .build())
}

/// The events that the bus took; each entry of the answer stands for the event at its place.
fn taken(events: &[Event], answers: &[PutEventsResultEntry]) -> Result<Vec<EventId>, PortError> {
    if answers.len() != events.len() {
        let reason = format!("{} answers to {} events", answers.len(), events.len());
        return Err(unavailable(SERVICE, reason));
    }
    let mut ids = Vec::new();
    for (event, answer) in events.iter().zip(answers) {
        match answer.error_code() {
            None if answer.event_id().is_some() => ids.push(event.id.clone()),
            code => tracing::warn!(event_id = %event.id, code, "the bus refused an event"),
        }
    }
    Ok(ids)
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::event::{EventData, EventType, JobEventData};
    use domain::id::{AccountId, JobId};
    use domain::job::JobStatus;
    use domain::timestamp::Timestamp;

    fn event(number: u128) -> Event {
        Event {
            id: EventId::mint(Timestamp(1), number),
            event_type: EventType::JobCreated,
            account_id: AccountId::mint(Timestamp(1), 1),
            occurred_at: Timestamp(1),
            data: EventData::Job(JobEventData {
                job_id: JobId::mint(Timestamp(1), number),
                status: JobStatus::Queued,
                attempt: 0,
                sequence: 1,
                document_id: None,
                version_id: None,
                error: None,
                metadata: None,
            }),
        }
    }

    #[test]
    fn an_entry_that_the_bus_refused_is_not_taken() {
        let events = [event(1), event(2), event(3)];
        let good = || PutEventsResultEntry::builder().event_id("e").build();
        let bad = PutEventsResultEntry::builder()
            .error_code("ThrottlingException")
            .build();
        let ids = taken(&events, &[good(), bad, good()]).unwrap();
        assert_eq!(ids, [events[0].id.clone(), events[2].id.clone()]);
        assert!(taken(&events, &[good()]).is_err());
    }
}
