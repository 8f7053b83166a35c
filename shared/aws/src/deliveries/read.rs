//! Reading deliveries.

use async_trait::async_trait;
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use domain::id::DeliveryId;
use domain::ports::PortError;
use domain::ports::subscriptions::{DeliveryPage, ReadDeliveries};
use domain::subscription::{Delivery, SubscriptionId};

use crate::error::failed;
use crate::item::{self, SERVICE, text};
use crate::keys::subscriptions as keys;
use crate::services::Services;

#[async_trait]
impl ReadDeliveries for Services {
    async fn delivery(
        &self,
        subscription: &SubscriptionId,
        id: &DeliveryId,
    ) -> Result<Option<Delivery>, PortError> {
        let key = keys::delivery(subscription, id);
        let found = self.read(self.subscriptions_table()?, &key).await?;
        found.map(item::read).transpose()
    }

    async fn deliveries(
        &self,
        subscription: &SubscriptionId,
        before: Option<&DeliveryId>,
        limit: u32,
    ) -> Result<DeliveryPage, PortError> {
        let start = before.map(|before| keys::delivery(subscription, before).attributes());
        let query = self.newest_first(subscription)?;
        let answer = query
            .set_exclusive_start_key(start)
            // One more tells whether there are others behind them.
            .limit(i32::try_from(limit).unwrap_or(i32::MAX).saturating_add(1))
            .send()
            .await
            .map_err(|error| failed(SERVICE, &error))?;
        let more = answer.last_evaluated_key.is_some();
        let found = answer.items.into_iter().flatten().map(item::read);
        let found: Vec<Delivery> = found.collect::<Result<_, _>>()?;
        Ok(page(found, more, limit as usize))
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
            .expression_attribute_values(":subscription", text(keys::deliveries(subscription)))
            .expression_attribute_values(":deliveries", text(keys::DELIVERIES))
            .scan_index_forward(false))
    }
}

fn page(mut deliveries: Vec<Delivery>, more: bool, limit: usize) -> DeliveryPage {
    let more = more || deliveries.len() > limit;
    deliveries.truncate(limit);
    let last = deliveries.last().filter(|_| more);
    DeliveryPage {
        next: last.map(|last| last.id.clone()),
        deliveries,
    }
}
