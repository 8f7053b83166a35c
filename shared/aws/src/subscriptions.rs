//! Webhooks and automation hooks in the subscriptions table.

mod end;
mod health;
mod manage;
mod read;
mod record;

use async_trait::async_trait;
use domain::id::AccountId;
use domain::ports::{PortError, Subscribed, SubscriptionPage, SubscriptionRequest, Subscriptions};
use domain::subscription::{
    DisabledReason, FailedAttempt, LastDelivery, SlowMark, Subscription, SubscriptionId,
    SubscriptionKind,
};
use domain::timestamp::Timestamp;

use self::health::{NO_SUCCESS_SINCE, attribute, failure_update};
use self::read::{page, query_with_retries};
use crate::item::{self, number, text};
use crate::keys::subscriptions as own;
use crate::retry::RetryBudget;
use crate::services::Services;
use crate::table::{EXISTS, update_once};
use crate::transaction::new_write;

#[async_trait]
impl Subscriptions for Services {
    async fn subscription(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
    ) -> Result<Option<Subscription>, PortError> {
        let key = own::subscription(account, id);
        let found = self.read(self.subscriptions_table()?, &key).await?;
        found.map(item::read).transpose()
    }

    async fn subscriptions(
        &self,
        account: &AccountId,
        kind: SubscriptionKind,
        after: Option<&SubscriptionId>,
        limit: u32,
    ) -> Result<SubscriptionPage, PortError> {
        let start = after.map(|after| own::subscription(account, after).attributes());
        let query = self
            .tables()
            .query()
            .table_name(self.subscriptions_table()?)
            .consistent_read(true)
            .key_condition_expression("pk = :account AND begins_with(sk, :kind)")
            .expression_attribute_values(":account", text(own::account(account)))
            .expression_attribute_values(":kind", text(own::of_kind(kind)))
            .set_exclusive_start_key(start)
            // One more row shows whether another page follows.
            .limit(i32::try_from(limit).unwrap_or(i32::MAX).saturating_add(1));
        let response = query_with_retries(query).await?;
        let more = response.last_evaluated_key.is_some();
        page(response.items.unwrap_or_default(), more, limit as usize)
    }

    async fn subscribe(
        &self,
        subscription: &Subscription,
        most: u32,
        request: Option<&SubscriptionRequest>,
    ) -> Result<Subscribed, PortError> {
        let all = self.subscribe_transaction(subscription, most, request)?;
        let mut retries = RetryBudget::new();
        loop {
            if let Some(subscribed) = self.try_to_subscribe(subscription, request, &all).await? {
                return Ok(subscribed);
            }
            retries.wait().await?;
        }
    }

    async fn unsubscribe(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        now: Timestamp,
    ) -> Result<bool, PortError> {
        match self.end_subscription(account, id, now).await {
            Ok(ended) => Ok(ended),
            // Response lost: the stored subscription decides.
            Err(error) => match self.subscription(account, id).await? {
                Some(_) => Err(error),
                None => Ok(true),
            },
        }
    }

    async fn replace_secrets(
        &self,
        subscription: &Subscription,
        seen: u64,
    ) -> Result<bool, PortError> {
        let write = new_write();
        let update = self.new_secrets(subscription, seen, &write)?;
        update_once(update, &write).await
    }

    async fn record_failure(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        failure: &FailedAttempt,
    ) -> Result<(), PortError> {
        self.update_health(failure_update(self.health_row(account, id)?, failure))
            .await
    }

    async fn record_success(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        at: Timestamp,
    ) -> Result<(), PortError> {
        let update = self
            .health_row(account, id)?
            .update_expression("SET workedAt = :at REMOVE failingSince, failedAt")
            .condition_expression(format!("{EXISTS} AND {NO_SUCCESS_SINCE}"))
            .expression_attribute_values(":at", number(at.milliseconds()));
        self.update_health(update).await
    }

    async fn record_slow(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        mark: &SlowMark,
    ) -> Result<(), PortError> {
        let update = self
            .health_row(account, id)?
            .update_expression("SET slowUntil = :until")
            .condition_expression(format!(
                "{EXISTS} AND (attribute_not_exists(slowUntil) OR slowUntil < :enough)"
            ))
            .expression_attribute_values(":until", number(mark.until.milliseconds()))
            .expression_attribute_values(":enough", number(mark.renew_before.milliseconds()));
        self.update_health(update).await
    }

    async fn record_last_delivery(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        last: &LastDelivery,
    ) -> Result<(), PortError> {
        // Deliveries finish in any order; the most recent one is kept.
        let update = self
            .health_row(account, id)?
            .update_expression("SET lastDelivery = :last")
            .condition_expression(format!(
                "{EXISTS} AND (attribute_not_exists(lastDelivery) OR lastDelivery.#at <= :at)"
            ))
            .expression_attribute_names("#at", "at")
            .expression_attribute_values(":last", attribute(last)?)
            .expression_attribute_values(":at", number(last.at.milliseconds()));
        self.update_health(update).await
    }

    async fn disable(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        reason: DisabledReason,
        failing_since: Option<Timestamp>,
    ) -> Result<bool, PortError> {
        self.disable_subscription(account, id, reason, failing_since)
            .await
    }
}
