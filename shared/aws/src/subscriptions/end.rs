//! The ends of subscriptions, each together with the account's count: what is disabled or removed makes room for another, once.

use aws_sdk_dynamodb::types::{Delete, Update};
use domain::id::AccountId;
use domain::ports::PortError;
use domain::subscription::{DisabledReason, SubscriptionId, SubscriptionStatus};
use domain::timestamp::Timestamp;

use super::notes::attribute;
use super::record;
use crate::item::number;
use crate::keys::subscriptions as keys;
use crate::services::Services;
use crate::table::replacement;
use crate::transaction::{Part, Transaction, incomplete};

impl Services {
    /// Removes a subscription; `false` when there is none. One that is disabled is not counted any more, and none that is
    /// disabled becomes active again: what is not there as active is there as disabled or not at all.
    pub(super) async fn end_subscription(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        now: Timestamp,
    ) -> Result<bool, PortError> {
        for status in [SubscriptionStatus::Active, SubscriptionStatus::Disabled] {
            let all = self.ending(account, id, status, now)?;
            if self.commit_patiently(&all).await? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Disables a subscription that is active, and that fails since `failing_since`, if that is given.
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
        all.update(Part::Subscription, disabled);
        all.update(Part::Subscriptions, record::one_less(table, account)?);
        self.commit_patiently(&all).await
    }

    /// The removal of a subscription that has this status.
    fn ending(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        status: SubscriptionStatus,
        now: Timestamp,
    ) -> Result<Transaction, PortError> {
        let table = self.subscriptions_table()?;
        let mut all = Transaction::default();
        all.delete(Part::Subscription, removed(table, account, id, status)?);
        if status == SubscriptionStatus::Active {
            all.update(Part::Subscriptions, record::one_less(table, account)?);
        }
        let row = record::ended(account, id, now);
        all.put(Part::Unsubscribed, replacement(table, row)?);
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
