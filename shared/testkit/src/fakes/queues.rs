//! Queues and the switches of processors.

use std::collections::BTreeSet;
use std::time::Duration;

use async_trait::async_trait;
use domain::ports::{PortError, Queues};
use domain::processor::Processor;
use domain::subscription::{DeliveryTicket, SubscriptionId};
use domain::ticket::Ticket;

use super::{Call, Fakes};

/// A sent ticket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentTicket {
    /// The queue.
    pub processor: Processor,
    /// `MessageGroupId`, for fair queues.
    pub group: String,
    /// The ticket.
    pub ticket: Ticket,
    /// `DelaySeconds`.
    pub delay: Duration,
}

/// A sent delivery ticket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentDelivery {
    /// The ticket.
    pub ticket: DeliveryTicket,
    /// `DelaySeconds`.
    pub delay: Duration,
}

/// A sent continuation of a fan-out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Continuation {
    /// `MessageGroupId`, for fair queues.
    pub group: String,
    /// The message.
    pub message: String,
}

/// Sent messages and injected rejections.
#[derive(Default)]
pub(super) struct QueueState {
    sent: Vec<SentDelivery>,
    /// Subscriptions whose tickets are rejected.
    rejected_subscriptions: BTreeSet<SubscriptionId>,
    continuations: Vec<Continuation>,
    rejected: Vec<String>,
}

impl Fakes {
    /// All sent delivery tickets, in order.
    #[must_use]
    pub fn sent_deliveries(&self) -> Vec<SentDelivery> {
        super::lock(&self.state).queues.sent.clone()
    }

    /// Makes the queue reject all further tickets of a subscription.
    pub fn reject_tickets_of(&self, subscription: &SubscriptionId) {
        let mut state = super::lock(&self.state);
        state
            .queues
            .rejected_subscriptions
            .insert(subscription.clone());
    }

    /// All sent continuations of fan-outs, in order.
    #[must_use]
    pub fn continuations(&self) -> Vec<Continuation> {
        super::lock(&self.state).queues.continuations.clone()
    }

    /// All rejected fan-out messages, in order.
    #[must_use]
    pub fn rejected(&self) -> Vec<String> {
        super::lock(&self.state).queues.rejected.clone()
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
            let queues = &mut state.queues;
            let tickets = tickets.iter();
            let accepted: Vec<_> = tickets
                .filter(|ticket| {
                    !queues
                        .rejected_subscriptions
                        .contains(&ticket.subscription_id)
                })
                .cloned()
                .collect();
            let sent = accepted.iter().cloned();
            queues
                .sent
                .extend(sent.map(|ticket| SentDelivery { ticket, delay }));
            Ok(accepted)
        })
        .await
    }

    async fn continue_fan_out(&self, group: &str, message: &str) -> Result<(), PortError> {
        let sent = Continuation {
            group: group.to_owned(),
            message: message.to_owned(),
        };
        self.call(Call::ContinueFanOut, |state| {
            state.queues.continuations.push(sent);
            Ok(())
        })
        .await
    }

    async fn reject(&self, message: &str) -> Result<(), PortError> {
        self.call(Call::Reject, |state| {
            state.queues.rejected.push(message.to_owned());
            Ok(())
        })
        .await
    }

    async fn is_enabled(&self, processor: Processor) -> Result<bool, PortError> {
        self.call(Call::Switch, |state| Ok(!state.off.contains(&processor)))
            .await
    }

    async fn set_enabled(&self, processor: Processor, on: bool) -> Result<(), PortError> {
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
