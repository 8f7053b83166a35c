//! The queues and the bus.

use std::time::Duration;

use async_trait::async_trait;
use domain::event::Event;
use domain::id::EventId;
use domain::operation::Processor;
use domain::ports::{PortError, PublishEvents, SendTickets};
use domain::ticket::Ticket;

use super::{Call, Fakes};

/// A ticket as it was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentTicket {
    /// The queue.
    pub processor: Processor,
    /// The group that it is fair among.
    pub group: String,
    /// The ticket.
    pub ticket: Ticket,
    /// How long the queue holds it back.
    pub delay: Duration,
}

#[async_trait]
impl SendTickets for Fakes {
    async fn send(
        &self,
        processor: Processor,
        group: &str,
        ticket: &Ticket,
        delay: Duration,
    ) -> Result<(), PortError> {
        let sent = SentTicket {
            processor,
            group: group.to_owned(),
            ticket: ticket.clone(),
            delay,
        };
        self.call(Call::Send, |state| {
            state.sent.push(sent);
            Ok(())
        })
        .await
    }
}

#[async_trait]
impl PublishEvents for Fakes {
    async fn publish(&self, events: &[Event]) -> Result<Vec<EventId>, PortError> {
        self.call(Call::Publish, |state| {
            state.published.extend_from_slice(events);
            Ok(events.iter().map(|event| event.id.clone()).collect())
        })
        .await
    }
}
