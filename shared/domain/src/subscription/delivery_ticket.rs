//! Delivery tickets: the messages of the delivery queues. They contain identifiers and a version, never content.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::lane::Lane;
use super::record::SubscriptionId;
use crate::id::{AccountId, DeliveryId};

/// The latest ticket version that this release reads and writes.
pub const DELIVERY_TICKET_VERSION: u32 = 1;

/// A queue message: a delivery is due.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryTicket {
    /// Version of the ticket.
    pub version: u32,
    /// Owner of the subscription.
    pub account_id: AccountId,
    /// The subscription.
    pub subscription_id: SubscriptionId,
    /// The delivery.
    pub delivery_id: DeliveryId,
    /// The queue of the ticket. The first version had only one.
    #[serde(default, skip_serializing_if = "Lane::is_ready")]
    pub lane: Lane,
}

/// The message is not a ticket that this release can read.
#[derive(Debug, Error)]
pub enum UnreadableDeliveryTicket {
    /// The message is not the JSON of a ticket.
    #[error("not a delivery ticket: {0}")]
    Form(#[from] serde_json::Error),
    /// The ticket was written by a newer release.
    #[error("delivery ticket version {0} is newer than {DELIVERY_TICKET_VERSION}")]
    Newer(u32),
}

impl DeliveryTicket {
    /// Parses a queue message of this or an earlier release.
    ///
    /// # Errors
    /// [`UnreadableDeliveryTicket`] if the message is not a ticket of a known version; it must then stay in its queue.
    pub fn read(message: &str) -> Result<Self, UnreadableDeliveryTicket> {
        let ticket: Self = serde_json::from_str(message)?;
        if ticket.version > DELIVERY_TICKET_VERSION {
            return Err(UnreadableDeliveryTicket::Newer(ticket.version));
        }
        Ok(ticket)
    }

    /// Returns the ticket for the queue of `lane`.
    #[must_use]
    pub fn in_lane(self, lane: Lane) -> Self {
        Self { lane, ..self }
    }

    /// Serializes the ticket for the queue.
    ///
    /// # Errors
    /// Never in practice: every ticket is valid JSON.
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

    /// A ticket without a lane, as written by the first release, with additional members.
    fn former(ticket: &DeliveryTicket, version: u32, more: &str) -> String {
        format!(
            r#"{{"version":{version},"accountId":"{}","subscriptionId":"{}","deliveryId":"{}"{more}}}"#,
            ticket.account_id, ticket.subscription_id, ticket.delivery_id
        )
    }

    #[test]
    fn delivery_tickets_of_earlier_versions_are_read_and_newer_ones_rejected() {
        let ticket = ticket();
        let old = former(&ticket, 1, "");
        assert_eq!(DeliveryTicket::read(&old).unwrap(), ticket);
        // The earlier release reads this while the current one is being deployed.
        assert_eq!(ticket.write().unwrap(), old);
        let newer = DeliveryTicket::read(&former(&ticket, 2, ""));
        assert!(matches!(newer, Err(UnreadableDeliveryTicket::Newer(2))));
        let unknown = DeliveryTicket::read(&former(&ticket, 1, r#","lane":"no""#));
        assert!(matches!(unknown, Err(UnreadableDeliveryTicket::Form(_))));
    }

    #[test]
    fn the_ticket_of_the_slow_queue_names_its_lane() {
        let slow = ticket().in_lane(Lane::Slow);
        let written = slow.write().unwrap();
        assert_eq!(written, former(&slow, 1, r#","lane":"slow""#));
        assert_eq!(DeliveryTicket::read(&written).unwrap(), slow);
    }
}
