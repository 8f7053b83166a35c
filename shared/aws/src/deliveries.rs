//! Deliveries in the subscriptions table: created and changed by one conditional put each.

mod due;
mod row;

use async_trait::async_trait;
use aws_sdk_dynamodb::operation::put_item::builders::PutItemFluentBuilder;
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use domain::id::DeliveryId;
use domain::ports::{
    Deliveries, DeliveryPage, DueDelivery, DueDeliveryPage, DuePosition, PortError,
};
use domain::subscription::{Delivery, DeliveryChange, SubscriptionId};
use domain::timestamp::Timestamp;
use futures::{StreamExt as _, TryStreamExt as _, stream};

use self::due::{due_page, postponement};
use crate::error::{Failure, failed, unavailable};
use crate::item::{self, Item, SERVICE, number, text};
use crate::keys::subscriptions as own;
use crate::services::Services;
use crate::table::{NOT_EXISTS, condition_met, put_once};
use crate::transaction::new_write;

/// Deliveries written concurrently.
const CONCURRENT_WRITES: usize = 25;

#[async_trait]
impl Deliveries for Services {
    async fn delivery(
        &self,
        subscription: &SubscriptionId,
        id: &DeliveryId,
    ) -> Result<Option<Delivery>, PortError> {
        let key = own::delivery(subscription, id);
        let found = self.read(self.subscriptions_table()?, &key).await?;
        found.map(item::read).transpose()
    }

    async fn deliveries(
        &self,
        subscription: &SubscriptionId,
        before: Option<&DeliveryId>,
        limit: u32,
    ) -> Result<DeliveryPage, PortError> {
        let start = before.map(|before| own::delivery(subscription, before).attributes());
        let query = self.newest_first(subscription)?;
        let response = query
            .set_exclusive_start_key(start)
            // One more row shows whether another page follows.
            .limit(i32::try_from(limit).unwrap_or(i32::MAX).saturating_add(1))
            .send()
            .await
            .map_err(|error| failed(SERVICE, &error))?;
        let more = response.last_evaluated_key.is_some();
        let found = response.items.into_iter().flatten().map(item::read);
        let found: Vec<Delivery> = found.collect::<Result<_, _>>()?;
        Ok(list_page(found, more, limit as usize))
    }

    async fn add_deliveries(&self, deliveries: Vec<Delivery>) -> Result<Vec<Delivery>, PortError> {
        let write = new_write();
        let added: Vec<Option<Delivery>> = stream::iter(deliveries)
            .map(|delivery| self.add_delivery(delivery, &write))
            .buffered(CONCURRENT_WRITES)
            .try_collect()
            .await?;
        Ok(added.into_iter().flatten().collect())
    }

    async fn apply_delivery(&self, change: &DeliveryChange) -> Result<bool, PortError> {
        let write = new_write();
        let row = row::delivery(&change.delivery, change.due, &write)?;
        let put = if_unchanged(self.delivery_put(row)?, change)?;
        match put_once(put, &write).await {
            Ok(written) => Ok(written),
            // Response lost: the stored delivery decides.
            Err(error) => match self.is_stored(&change.delivery).await? {
                true => Ok(true),
                false => Err(error),
            },
        }
    }

    async fn due_deliveries(
        &self,
        shard: u8,
        now: Timestamp,
        after: Option<&DuePosition>,
        limit: u32,
    ) -> Result<DueDeliveryPage, PortError> {
        let table = self.subscriptions_table()?;
        let (wanted, next) = self.due_keys_of(table, shard, now, after, limit).await?;
        let rows = self.read_all(table, &wanted).await?;
        Ok(due_page(rows, now, next))
    }

    async fn postpone_delivery(
        &self,
        seen: &DueDelivery,
        until: Timestamp,
    ) -> Result<(), PortError> {
        let update = postponement(self.delivery_row(&seen.ticket)?, seen, until);
        condition_met(update.send().await)
            .map(|_| ())
            .map_err(Failure::into_error)
    }
}

impl Services {
    fn newest_first(&self, subscription: &SubscriptionId) -> Result<QueryFluentBuilder, PortError> {
        Ok(self
            .tables()
            .query()
            .table_name(self.subscriptions_table()?)
            .consistent_read(true)
            .key_condition_expression("pk = :subscription AND begins_with(sk, :deliveries)")
            .expression_attribute_values(":subscription", text(own::deliveries(subscription)))
            .expression_attribute_values(":deliveries", text(own::DELIVERIES))
            .scan_index_forward(false))
    }
}

fn list_page(mut deliveries: Vec<Delivery>, more: bool, limit: usize) -> DeliveryPage {
    let more = more || deliveries.len() > limit;
    deliveries.truncate(limit);
    let last = deliveries.last().filter(|_| more);
    DeliveryPage {
        next: last.map(|last| last.id.clone()),
        deliveries,
    }
}

impl Services {
    /// Writes the delivery; `None` if it exists already.
    async fn add_delivery(
        &self,
        delivery: Delivery,
        write: &str,
    ) -> Result<Option<Delivery>, PortError> {
        let row = row::delivery(&delivery, Some(delivery.first_due()), write)?;
        let put = self.delivery_put(row)?.condition_expression(NOT_EXISTS);
        let new = put_once(put, write).await?;
        Ok(new.then_some(delivery))
    }

    /// The put of a delivery's row; the caller adds the condition.
    fn delivery_put(&self, row: Item) -> Result<PutItemFluentBuilder, PortError> {
        Ok(self
            .tables()
            .put_item()
            .table_name(self.subscriptions_table()?)
            .set_item(Some(row)))
    }

    async fn is_stored(&self, delivery: &Delivery) -> Result<bool, PortError> {
        let (subscription, id) = (&delivery.subscription_id, &delivery.id);
        let stored = self.delivery(subscription, id).await?;
        Ok(stored.as_ref() == Some(delivery))
    }
}

/// Adds the condition that the delivery is unchanged since it was read. A row without `round` is in the first round.
fn if_unchanged(
    put: PutItemFluentBuilder,
    change: &DeliveryChange,
) -> Result<PutItemFluentBuilder, PortError> {
    let status = serde_dynamo::to_attribute_value(change.expected_status)
        .map_err(|_| unavailable(SERVICE, "cannot serialize a status"))?;
    let same_round = "(#round = :seenRound OR attribute_not_exists(#round))";
    Ok(put
        .condition_expression(format!(
            "#status = :seenStatus AND attempts = :seenAttempts AND {same_round}"
        ))
        .expression_attribute_names("#status", "status")
        .expression_attribute_names("#round", "round")
        .expression_attribute_values(":seenStatus", status)
        .expression_attribute_values(":seenAttempts", number(change.expected_attempts))
        .expression_attribute_values(":seenRound", number(change.expected_round)))
}
