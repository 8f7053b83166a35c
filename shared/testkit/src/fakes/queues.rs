//! The queues, and the switches of processors.

use std::collections::BTreeSet;
use std::time::Duration;

use async_trait::async_trait;
use domain::ports::{PortError, Queues};
use domain::processor::Processor;
use domain::subscription::{DeliveryTicket, SubscriptionId};
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

/// A delivery's ticket as it was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentDelivery {
    /// The ticket.
    pub ticket: DeliveryTicket,
    /// How long the queue holds it back.
    pub delay: Duration,
}

/// What remains of a fan-out, as it was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Continuation {
    /// The group that it is fair among.
    pub group: String,
    /// The message.
    pub message: String,
}

/// What the queues hold.
#[derive(Default)]
pub(super) struct Told {
    sent: Vec<SentDelivery>,
    /// Whose tickets the queue does not take.
    refused: BTreeSet<SubscriptionId>,
    continuations: Vec<Continuation>,
    rejected: Vec<String>,
}

impl Fakes {
    /// Every ticket of a delivery that was sent, in order.
    #[must_use]
    pub fn sent_deliveries(&self) -> Vec<SentDelivery> {
        super::lock(&self.state).told.sent.clone()
    }

    /// Has the queue take no ticket of a subscription from now on, while it takes those of others.
    pub fn refuse_tickets_of(&self, subscription: &SubscriptionId) {
        let mut state = super::lock(&self.state);
        state.told.refused.insert(subscription.clone());
    }

    /// What remained of fan-outs, in order.
    #[must_use]
    pub fn continuations(&self) -> Vec<Continuation> {
        super::lock(&self.state).told.continuations.clone()
    }

    /// What could not be told, in order.
    #[must_use]
    pub fn rejected(&self) -> Vec<String> {
        super::lock(&self.state).told.rejected.clone()
    }
}

#[async_trait]
impl Queues for Fakes {
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

    async fn send_deliveries(
        &self,
        tickets: &[DeliveryTicket],
        delay: Duration,
    ) -> Result<Vec<DeliveryTicket>, PortError> {
        self.call(Call::SendDeliveries, |state| {
            let told = &mut state.told;
            let tickets = tickets.iter();
            let taken: Vec<_> = tickets
                .filter(|ticket| !told.refused.contains(&ticket.subscription_id))
                .cloned()
                .collect();
            let sent = taken.iter().cloned();
            told.sent
                .extend(sent.map(|ticket| SentDelivery { ticket, delay }));
            Ok(taken)
        })
        .await
    }

    async fn continue_fan_out(&self, group: &str, message: &str) -> Result<(), PortError> {
        let sent = Continuation {
            group: group.to_owned(),
            message: message.to_owned(),
        };
        self.call(Call::ContinueFanOut, |state| {
            state.told.continuations.push(sent);
            Ok(())
        })
        .await
    }

    async fn reject(&self, message: &str) -> Result<(), PortError> {
        self.call(Call::Reject, |state| {
            state.told.rejected.push(message.to_owned());
            Ok(())
        })
        .await
    }

    async fn is_on(&self, processor: Processor) -> Result<bool, PortError> {
        self.call(Call::Switch, |state| Ok(!state.off.contains(&processor)))
            .await
    }

    async fn turn(&self, processor: Processor, on: bool) -> Result<(), PortError> {
        self.call(Call::Switch, |state| {
            match on {
                true => state.off.remove(&processor),
                false => state.off.insert(processor),
            };
            Ok(())
        })
        .await
    }
}
