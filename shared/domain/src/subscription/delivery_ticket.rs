//! Tickets of deliveries: what their queue carries. They hold identifiers and a version, never content.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::lane::Lane;
use super::record::SubscriptionId;
use crate::id::{AccountId, DeliveryId};

/// The newest form of a ticket that this release writes and reads.
pub const DELIVERY_TICKET_VERSION: u32 = 1;

/// A message that a delivery is due.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryTicket {
    /// Form of the ticket.
    pub version: u32,
    /// The owner of the subscription.
    pub account_id: AccountId,
    /// The subscription.
    pub subscription_id: SubscriptionId,
    /// The delivery.
    pub delivery_id: DeliveryId,
    /// Which queue carries it. The first form had but one.
    #[serde(default, skip_serializing_if = "Lane::is_ready")]
    pub lane: Lane,
}

/// The message is not a ticket that this release understands.
#[derive(Debug, Error)]
pub enum UnreadableDeliveryTicket {
    /// Not the JSON of a ticket.
    #[error("not a ticket of a delivery: {0}")]
    Form(#[from] serde_json::Error),
    /// Written by a newer release.
    #[error("a ticket of version {0}, newer than {DELIVERY_TICKET_VERSION}")]
    Newer(u32),
}

impl DeliveryTicket {
    /// Reads a message of this or an earlier release.
    ///
    /// # Errors
    /// [`UnreadableDeliveryTicket`] when it is something else; the message must then stay in its queue.
    pub fn read(message: &str) -> Result<Self, UnreadableDeliveryTicket> {
        let ticket: Self = serde_json::from_str(message)?;
        if ticket.version > DELIVERY_TICKET_VERSION {
            return Err(UnreadableDeliveryTicket::Newer(ticket.version));
        }
        Ok(ticket)
    }

    /// The same for the queue of `lane`.
    #[must_use]
    pub fn in_lane(self, lane: Lane) -> Self {
        Self { lane, ..self }
    }

    /// The message for a queue.
    ///
    /// # Errors
    /// Never in practice: a ticket holds nothing that JSON cannot.
    pub fn write(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::WebhookId;
    use crate::timestamp::Timestamp;

    fn ticket() -> DeliveryTicket {
        let at = Timestamp(1);
        DeliveryTicket {
            version: DELIVERY_TICKET_VERSION,
            account_id: AccountId::mint(at, 1),
            subscription_id: SubscriptionId::Webhook(WebhookId::mint(at, 1)),
            delivery_id: DeliveryId::mint(at, 1),
            lane: Lane::Ready,
        }
    }

    /// A ticket of before there were lanes, with more members behind its own.
    fn former(ticket: &DeliveryTicket, version: u32, more: &str) -> String {
        format!(
            r#"{{"version":{version},"accountId":"{}","subscriptionId":"{}","deliveryId":"{}"{more}}}"#,
            ticket.account_id, ticket.subscription_id, ticket.delivery_id
        )
    }

    #[test]
    fn tickets_of_the_former_form_are_read_and_newer_ones_are_left() {
        let ticket = ticket();
        let old = former(&ticket, 1, "");
        assert_eq!(DeliveryTicket::read(&old).unwrap(), ticket);
        // What a function of the release before reads while this one is deployed.
        assert_eq!(ticket.write().unwrap(), old);
        let newer = DeliveryTicket::read(&former(&ticket, 2, ""));
        assert!(matches!(newer, Err(UnreadableDeliveryTicket::Newer(2))));
        let unknown = DeliveryTicket::read(&former(&ticket, 1, r#","lane":"no""#));
        assert!(matches!(unknown, Err(UnreadableDeliveryTicket::Form(_))));
    }

    #[test]
    fn a_ticket_says_that_it_is_carried_by_the_queue_of_slow_receivers() {
        let slow = ticket().in_lane(Lane::Slow);
        let written = slow.write().unwrap();
        assert_eq!(written, former(&slow, 1, r#","lane":"slow""#));
        assert_eq!(DeliveryTicket::read(&written).unwrap(), slow);
    }
}
