//! Deliveries.

use async_trait::async_trait;

use super::{DuePosition, PortError};
use crate::id::DeliveryId;
use crate::subscription::{Delivery, DeliveryChange, DeliveryTicket, SubscriptionId};
use crate::timestamp::Timestamp;

/// One page of a subscription's deliveries, newest event first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeliveryPage {
    /// The deliveries.
    pub deliveries: Vec<Delivery>,
    /// Where the next page begins: behind this one. `None` at the end.
    pub next: Option<DeliveryId>,
}

/// A delivery that is due.
#[derive(Clone, Debug, PartialEq)]
pub struct DueDelivery {
    /// Its ticket.
    pub ticket: DeliveryTicket,
    /// How often that was sent again already.
    pub sent: u32,
    /// Since when it is due.
    pub due: Timestamp,
}

/// One page of the deliveries that are due in a shard, oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DueDeliveryPage {
    /// What is due.
    pub deliveries: Vec<DueDelivery>,
    /// The store's names for rows that this release cannot read.
    pub unreadable: Vec<String>,
    /// Where the next page begins; `None` at the end.
    pub next: Option<DuePosition>,
}

/// Deliveries to subscribers.
#[async_trait]
pub trait Deliveries: Send + Sync {
    /// A delivery, read consistently.
    async fn delivery(
        &self,
        subscription: &SubscriptionId,
        id: &DeliveryId,
    ) -> Result<Option<Delivery>, PortError>;
    /// A subscription's deliveries behind `before`, newest event first.
    async fn deliveries(
        &self,
        subscription: &SubscriptionId,
        before: Option<&DeliveryId>,
        limit: u32,
    ) -> Result<DeliveryPage, PortError>;
    /// Stores new deliveries, due as [`Delivery::first_due`] says, and returns those that were not there before.
    async fn add_deliveries(&self, deliveries: Vec<Delivery>) -> Result<Vec<Delivery>, PortError>;
    /// Writes a move; `false` when it is stale and nothing was written.
    async fn apply_delivery(&self, change: &DeliveryChange) -> Result<bool, PortError>;
    /// What is due in a shard (one of [`crate::outbox::SHARDS`]) behind `after`, looking at no more than `limit` rows.
    async fn due_deliveries(
        &self,
        shard: u8,
        now: Timestamp,
        after: Option<&DuePosition>,
        limit: u32,
    ) -> Result<DueDeliveryPage, PortError>;
    /// Puts off a delivery, whose ticket was sent once more, until `until`; does nothing when it is no longer due as `seen`:
    /// what an attempt has written meanwhile stays.
    async fn postpone_delivery(
        &self,
        seen: &DueDelivery,
        until: Timestamp,
    ) -> Result<(), PortError>;
}
