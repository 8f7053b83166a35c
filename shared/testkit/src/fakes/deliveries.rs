//! Deliveries and their due times.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use async_trait::async_trait;
use domain::id::{AccountId, DeliveryId};
use domain::outbox::delivery_shard;
use domain::ports::{
    Deliveries, DeliveryPage, DueDelivery, DueDeliveryPage, DuePosition, PortError,
};
use domain::subscription::{Delivery, DeliveryChange, DeliveryStatus, SubscriptionId};
use domain::timestamp::Timestamp;

use super::{Call, Fakes};

#[async_trait]
impl Deliveries for Fakes {
    async fn delivery(
        &self,
        subscription: &SubscriptionId,
        id: &DeliveryId,
    ) -> Result<Option<Delivery>, PortError> {
        let name = (subscription.clone(), id.clone());
        self.call(Call::ReadDeliveries, |state| {
            let row = state.post.rows.get(&name);
            Ok(row.map(|row| row.delivery.clone()))
        })
        .await
    }

    async fn deliveries(
        &self,
        subscription: &SubscriptionId,
        before: Option<&DeliveryId>,
        limit: u32,
    ) -> Result<DeliveryPage, PortError> {
        self.call(Call::ReadDeliveries, |state| {
            let rows = state.post.rows.values().rev().map(|row| &row.delivery);
            let behind = rows
                .filter(|delivery| delivery.subscription_id == *subscription)
                .filter(|delivery| before.is_none_or(|before| delivery.id < *before));
            let mut deliveries: Vec<_> = behind.cloned().collect();
            let more = deliveries.len() > limit as usize;
            deliveries.truncate(limit as usize);
            let last = deliveries.last().filter(|_| more);
            let next = last.map(|delivery| delivery.id.clone());
            Ok(DeliveryPage { deliveries, next })
        })
        .await
    }

    async fn add_deliveries(&self, deliveries: Vec<Delivery>) -> Result<Vec<Delivery>, PortError> {
        self.call(Call::AddDeliveries, |state| {
            let mut new = Vec::new();
            for delivery in deliveries {
                let row = Row::new(delivery.clone());
                if let Entry::Vacant(place) = state.post.rows.entry(row.name()) {
                    place.insert(row);
                    new.push(delivery);
                }
            }
            Ok(new)
        })
        .await
    }

    async fn apply_delivery(&self, change: &DeliveryChange) -> Result<bool, PortError> {
        let next = &change.delivery;
        let name = (next.subscription_id.clone(), next.id.clone());
        self.call(Call::ApplyDelivery, |state| {
            let row = state.post.rows.get_mut(&name);
            let Some(row) = row.filter(|row| row.is_unchanged(change)) else {
                return Ok(false);
            };
            *row = Row {
                delivery: next.clone(),
                sent: 0,
                due: change.due,
            };
            Ok(true)
        })
        .await
    }

    async fn due_deliveries(
        &self,
        shard: u8,
        now: Timestamp,
        after: Option<&DuePosition>,
        limit: u32,
    ) -> Result<DueDeliveryPage, PortError> {
        self.call(Call::DueDeliveries, |state| {
            let mut due: Vec<_> = state.post.due(shard, now).collect();
            due.sort_by(|(one, _), (other, _)| (one.due, &one.row).cmp(&(other.due, &other.row)));
            due.retain(|(position, _)| {
                after.is_none_or(|after| (position.due, &position.row) > (after.due, &after.row))
            });
            due.truncate(limit as usize);
            // Like DynamoDB, which does not look ahead: a full page has a next position even if it is the last.
            let full = due.len() == limit as usize;
            let next = due.last().filter(|_| full);
            Ok(DueDeliveryPage {
                next: next.map(|(position, _)| position.clone()),
                deliveries: due.into_iter().map(|(_, delivery)| delivery).collect(),
                unreadable: Vec::new(),
            })
        })
        .await
    }

    async fn postpone_delivery(
        &self,
        seen: &DueDelivery,
        until: Timestamp,
    ) -> Result<(), PortError> {
        let ticket = &seen.ticket;
        let name = (ticket.subscription_id.clone(), ticket.delivery_id.clone());
        self.call(Call::PostponeDelivery, |state| {
            let row = state.post.rows.get_mut(&name);
            if let Some(row) = row.filter(|row| (row.due, row.sent) == (Some(seen.due), seen.sent))
            {
                (row.sent, row.due) = (seen.sent + 1, Some(until));
            }
            Ok(())
        })
        .await
    }
}

type Name = (SubscriptionId, DeliveryId);

/// All deliveries.
#[derive(Default)]
pub(super) struct DeliveryState {
    rows: BTreeMap<Name, Row>,
}

/// A stored delivery.
pub(super) struct Row {
    delivery: Delivery,
    sent: u32,
    /// `None` unless the delivery is pending.
    due: Option<Timestamp>,
}

impl Fakes {
    /// Stores a delivery in any state, due at `due`.
    pub fn put_delivery(&self, delivery: Delivery, due: Option<Timestamp>) {
        let row = Row {
            delivery,
            sent: 0,
            due,
        };
        let mut state = super::lock(&self.state);
        state.post.rows.insert(row.name(), row);
    }

    /// All deliveries of all accounts, ordered by subscription.
    #[must_use]
    pub fn all_deliveries(&self) -> Vec<Delivery> {
        let state = super::lock(&self.state);
        let rows = state.post.rows.values();
        rows.map(|row| row.delivery.clone()).collect()
    }

    /// When a delivery is due for `sweep`; `None` if it is finished or does not exist.
    #[must_use]
    pub fn delivery_due(&self, delivery: &Delivery) -> Option<Timestamp> {
        let name = (delivery.subscription_id.clone(), delivery.id.clone());
        super::lock(&self.state).post.rows.get(&name)?.due
    }
}

impl DeliveryState {
    /// Removes all deliveries of an account.
    pub(super) fn erase(&mut self, account: &AccountId) {
        self.rows
            .retain(|_, row| row.delivery.account_id != *account);
    }

    fn due(&self, shard: u8, now: Timestamp) -> impl Iterator<Item = (DuePosition, DueDelivery)> {
        let rows = self.rows.values();
        let own = rows.filter(move |row| delivery_shard(&row.delivery.subscription_id) == shard);
        own.filter_map(move |row| {
            let due = row.due.filter(|due| *due <= now)?;
            let name = format!("{} {}", row.delivery.subscription_id, row.delivery.id);
            let found = DueDelivery {
                ticket: row.delivery.ticket(),
                sent: row.sent,
                due,
            };
            Some((DuePosition { due, row: name }, found))
        })
    }
}

impl Row {
    fn new(delivery: Delivery) -> Self {
        let pending = delivery.status == DeliveryStatus::Pending;
        Self {
            due: pending.then(|| delivery.first_due()),
            delivery,
            sent: 0,
        }
    }

    fn name(&self) -> Name {
        let delivery = &self.delivery;
        (delivery.subscription_id.clone(), delivery.id.clone())
    }

    fn is_unchanged(&self, change: &DeliveryChange) -> bool {
        let now = &self.delivery;
        let seen = (
            change.expected_status,
            change.expected_round,
            change.expected_attempts,
        );
        (now.status, now.round, now.attempts) == seen
    }
}
