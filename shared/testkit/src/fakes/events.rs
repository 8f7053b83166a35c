//! The event bus.

use async_trait::async_trait;
use domain::event::Event;
use domain::id::EventId;
use domain::ports::{Events, PortError};

use super::{Call, Fakes};

#[async_trait]
impl Events for Fakes {
    async fn publish(&self, events: &[Event]) -> Result<Vec<EventId>, PortError> {
        self.call(Call::Publish, |state| {
            state.published.extend_from_slice(events);
            Ok(events.iter().map(|event| event.id.clone()).collect())
        })
        .await
    }
}
