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
    /// Last delivery of the page, after which the next page begins; `None` at the end.
    pub next: Option<DeliveryId>,
}

/// A due delivery.
#[derive(Clone, Debug, PartialEq)]
pub struct DueDelivery {
    /// Its ticket.
    pub ticket: DeliveryTicket,
    /// Number of resends so far.
    pub sent: u32,
    /// Time since which it is due.
    pub due: Timestamp,
}

/// One page of the due deliveries of a shard, oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DueDeliveryPage {
    /// Due deliveries.
    pub deliveries: Vec<DueDelivery>,
    /// Storage keys of rows that this release cannot read.
    pub unreadable: Vec<String>,
    /// Where the next page begins; `None` at the end.
    pub next: Option<DuePosition>,
}

/// Deliveries of events to subscriptions.
#[async_trait]
pub trait Deliveries: Send + Sync {
    /// Returns a delivery, with a consistent read.
    async fn delivery(
        &self,
        subscription: &SubscriptionId,
        id: &DeliveryId,
    ) -> Result<Option<Delivery>, PortError>;
    /// Returns a subscription's deliveries before `before`, newest event first.
    async fn deliveries(
        &self,
        subscription: &SubscriptionId,
        before: Option<&DeliveryId>,
        limit: u32,
    ) -> Result<DeliveryPage, PortError>;
    /// Stores new deliveries, due at [`Delivery::first_due`], and returns those that did not exist.
    async fn add_deliveries(&self, deliveries: Vec<Delivery>) -> Result<Vec<Delivery>, PortError>;
    /// Writes a change; `false` if it is stale and nothing was written.
    async fn apply_delivery(&self, change: &DeliveryChange) -> Result<bool, PortError>;
    /// Returns due deliveries of a shard (one of [`crate::outbox::SHARDS`]) after `after`, reading at most `limit` rows.
    async fn due_deliveries(
        &self,
        shard: u8,
        now: Timestamp,
        after: Option<&DuePosition>,
        limit: u32,
    ) -> Result<DueDeliveryPage, PortError>;
    /// Postpones a delivery whose ticket was resent until `until`. Does nothing if its row changed since `seen` was read.
    async fn postpone_delivery(
        &self,
        seen: &DueDelivery,
        until: Timestamp,
    ) -> Result<(), PortError>;
}
