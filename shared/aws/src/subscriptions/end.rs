//! Removes and disables subscriptions; one transaction decrements the account's count exactly once.

use aws_sdk_dynamodb::types::{Delete, Update};
use domain::id::AccountId;
use domain::ports::PortError;
use domain::subscription::{DisabledReason, SubscriptionId, SubscriptionStatus};
use domain::timestamp::Timestamp;

use super::health::attribute;
use super::record;
use crate::item::number;
use crate::keys::subscriptions as keys;
use crate::services::Services;
use crate::table::replacement;
use crate::transaction::{Transaction, WriteRole, incomplete};

impl Services {
    /// Removes a subscription; `false` if it does not exist. A disabled subscription is not counted and never becomes active
    /// again: if it is not found as active, it is disabled or does not exist.
    pub(super) async fn end_subscription(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        now: Timestamp,
    ) -> Result<bool, PortError> {
        for status in [SubscriptionStatus::Active, SubscriptionStatus::Disabled] {
            let all = self.conditional_delete(account, id, status, now)?;
            if self.commit_with_retries(&all).await? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Disables an active subscription; if `failing_since` is given, only if it has been failing since then.
    pub(super) async fn disable_subscription(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        reason: DisabledReason,
        failing_since: Option<Timestamp>,
    ) -> Result<bool, PortError> {
        let table = self.subscriptions_table()?;
        let mut all = Transaction::default();
        let disabled = disabled(table, account, id, reason, failing_since)?;
        all.update(WriteRole::Subscription, disabled);
        all.update(
            WriteRole::Subscriptions,
            record::decrement_count(table, account)?,
        );
        self.commit_with_retries(&all).await
    }

    /// The delete of a subscription with this status.
    fn conditional_delete(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        status: SubscriptionStatus,
        now: Timestamp,
    ) -> Result<Transaction, PortError> {
        let table = self.subscriptions_table()?;
        let mut all = Transaction::default();
        all.delete(
            WriteRole::Subscription,
            removed(table, account, id, status)?,
        );
        if status == SubscriptionStatus::Active {
            all.update(
                WriteRole::Subscriptions,
                record::decrement_count(table, account)?,
            );
        }
        let row = record::ended(account, id, now);
        all.put(WriteRole::Unsubscribed, replacement(table, row)?);
        Ok(all)
    }
}

fn removed(
    table: &str,
    account: &AccountId,
    id: &SubscriptionId,
    status: SubscriptionStatus,
) -> Result<Delete, PortError> {
    Delete::builder()
        .table_name(table)
        .set_key(Some(keys::subscription(account, id).attributes()))
        .condition_expression("#status = :status")
        .expression_attribute_names("#status", "status")
        .expression_attribute_values(":status", attribute(&status)?)
        .build()
        .map_err(|error| incomplete(&error))
}

fn disabled(
    table: &str,
    account: &AccountId,
    id: &SubscriptionId,
    reason: DisabledReason,
    failing_since: Option<Timestamp>,
) -> Result<Update, PortError> {
    let update = Update::builder()
        .table_name(table)
        .set_key(Some(keys::subscription(account, id).attributes()))
        .update_expression("SET #status = :disabled, disabledReason = :reason")
        .expression_attribute_names("#status", "status")
        .expression_attribute_values(":active", attribute(&SubscriptionStatus::Active)?)
        .expression_attribute_values(":disabled", attribute(&SubscriptionStatus::Disabled)?)
        .expression_attribute_values(":reason", attribute(&reason)?);
    let update = match failing_since {
        None => update.condition_expression("#status = :active"),
        Some(since) => update
            .condition_expression("#status = :active AND failingSince = :since")
            .expression_attribute_values(":since", number(since.milliseconds())),
    };
    update.build().map_err(|error| incomplete(&error))
}
