//! Publishes events on the EventBridge bus.

use async_trait::async_trait;
use aws_sdk_eventbridge::primitives::DateTime;
use aws_sdk_eventbridge::types::{PutEventsRequestEntry, PutEventsResultEntry};
use domain::event::{EVENT_SOURCE, Event};
use domain::id::EventId;
use domain::ports::{Events, PortError};

use crate::error::{failed, unavailable};
use crate::services::Services;

const SERVICE: &str = "events";
/// Maximum number of entries of one PutEvents.
const MAX_ENTRIES: usize = 10;

#[async_trait]
impl Events for Services {
    async fn publish(&self, events: &[Event]) -> Result<Vec<EventId>, PortError> {
        let mut published = Vec::new();
        for batch in events.chunks(MAX_ENTRIES) {
            match self.put(batch).await {
                Ok(ids) => published.extend(ids),
                // Events of earlier batches are published: report them, so that the caller does not publish them again.
                Err(error) if !published.is_empty() => {
                    tracing::warn!(%error, "only some of the events were published");
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(published)
    }
}

impl Services {
    async fn put(&self, events: &[Event]) -> Result<Vec<EventId>, PortError> {
        let bus = self.bus()?;
        let entries: Result<Vec<_>, _> = events.iter().map(|event| entry(bus, event)).collect();
        let response = self
            .buses()
            .put_events()
            .set_entries(Some(entries?))
            .send()
            .await
            .map_err(|error| failed(SERVICE, &error))?;
        published(events, response.entries())
    }
}

fn entry(bus: &str, event: &Event) -> Result<PutEventsRequestEntry, PortError> {
    let detail = serde_json::to_string(event)
        .map_err(|error| unavailable(SERVICE, format!("cannot build the event entry: {error}")))?;
    Ok(PutEventsRequestEntry::builder()
        .event_bus_name(bus)
        .source(EVENT_SOURCE)
        .detail_type(event.event_type.name())
        .detail(detail)
        .time(DateTime::from_millis(event.occurred_at.milliseconds()))
        .build())
}

/// The identifiers of the published events: the response has one entry per event, in the same order.
fn published(
    events: &[Event],
    responses: &[PutEventsResultEntry],
) -> Result<Vec<EventId>, PortError> {
    if responses.len() != events.len() {
        let reason = format!(
            "{} result entries for {} events",
            responses.len(),
            events.len()
        );
        return Err(unavailable(SERVICE, reason));
    }
    let mut ids = Vec::new();
    for (event, response) in events.iter().zip(responses) {
        match response.error_code() {
            None if response.event_id().is_some() => ids.push(event.id.clone()),
            code => tracing::warn!(event_id = %event.id, code, "EventBridge rejected the event"),
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
    fn a_rejected_entry_is_not_published() {
        let events = [event(1), event(2), event(3)];
        let good = || PutEventsResultEntry::builder().event_id("e").build();
        let bad = PutEventsResultEntry::builder()
            .error_code("ThrottlingException")
            .build();
        let ids = published(&events, &[good(), bad, good()]).unwrap();
        assert_eq!(ids, [events[0].id.clone(), events[2].id.clone()]);
        assert!(published(&events, &[good()]).is_err());
    }
}
