//! Tickets of deliveries: what their queue carries. They hold identifiers and a version, never content.

use serde::{Deserialize, Serialize};
use thiserror::Error;

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

    /// The message for a queue.
    ///
    /// # Errors
    /// Never in practice: a ticket holds nothing that JSON cannot.
    pub fn write(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }
}
