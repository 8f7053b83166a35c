//! Adding deliveries and moving them along, each by one conditional put.

use async_trait::async_trait;
use aws_sdk_dynamodb::operation::put_item::builders::PutItemFluentBuilder;
use domain::ports::PortError;
use domain::ports::subscriptions::{KeepDeliveries, ReadDeliveries};
use domain::subscription::{Delivery, DeliveryChange};
use futures::{StreamExt as _, TryStreamExt as _, stream};

use super::row;
use crate::error::unavailable;
use crate::item::{Item, SERVICE, number};
use crate::services::Services;
use crate::table::{NEW, put_once};
use crate::transaction::new_write;

/// How many deliveries are added at the same time.
const AT_ONCE: usize = 25;

#[async_trait]
impl KeepDeliveries for Services {
    async fn add_deliveries(&self, deliveries: Vec<Delivery>) -> Result<Vec<Delivery>, PortError> {
        let write = new_write();
        let added: Vec<Option<Delivery>> = stream::iter(deliveries)
            .map(|delivery| self.add_delivery(delivery, &write))
            .buffered(AT_ONCE)
            .try_collect()
            .await?;
        Ok(added.into_iter().flatten().collect())
    }

    async fn apply_delivery(&self, change: &DeliveryChange) -> Result<bool, PortError> {
        let write = new_write();
        let row = row::delivery(&change.delivery, change.due, &write)?;
        let put = as_seen(self.delivery_put(row)?, change)?;
        match put_once(put, &write).await {
            Ok(written) => Ok(written),
            // No answer: the delivery tells.
            Err(error) => match self.is_as(&change.delivery).await? {
                true => Ok(true),
                false => Err(error),
            },
        }
    }
}

impl Services {
    /// The delivery, if it was not there before.
    async fn add_delivery(
        &self,
        delivery: Delivery,
        write: &str,
    ) -> Result<Option<Delivery>, PortError> {
        let row = row::delivery(&delivery, Some(delivery.first_due()), write)?;
        let put = self.delivery_put(row)?.condition_expression(NEW);
        let new = put_once(put, write).await?;
        Ok(new.then_some(delivery))
    }

    /// A put of a delivery's row, which has to say on what condition.
    fn delivery_put(&self, row: Item) -> Result<PutItemFluentBuilder, PortError> {
        Ok(self
            .tables()
            .put_item()
            .table_name(self.subscriptions_table()?)
            .set_item(Some(row)))
    }

    async fn is_as(&self, delivery: &Delivery) -> Result<bool, PortError> {
        let (subscription, id) = (&delivery.subscription_id, &delivery.id);
        let stored = self.delivery(subscription, id).await?;
        Ok(stored.as_ref() == Some(delivery))
    }
}

/// The put of a move, unless another move came before it. Rows from before rounds were counted are in the first one.
fn as_seen(
    put: PutItemFluentBuilder,
    change: &DeliveryChange,
) -> Result<PutItemFluentBuilder, PortError> {
    let status = serde_dynamo::to_attribute_value(change.seen_status)
        .map_err(|_| unavailable(SERVICE, "a status cannot be stored"))?;
    let same_round = "(#round = :seenRound OR attribute_not_exists(#round))";
    Ok(put
        .condition_expression(format!(
            "#status = :seenStatus AND attempts = :seenAttempts AND {same_round}"
        ))
        .expression_attribute_names("#status", "status")
        .expression_attribute_names("#round", "round")
        .expression_attribute_values(":seenStatus", status)
        .expression_attribute_values(":seenAttempts", number(change.seen_attempts))
        .expression_attribute_values(":seenRound", number(change.seen_round)))
}
