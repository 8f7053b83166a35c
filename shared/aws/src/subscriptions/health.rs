//! Receiver health: updates of single attributes of existing subscriptions.

use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::AttributeValue;
use domain::id::AccountId;
use domain::ports::PortError;
use domain::subscription::{FailedAttempt, SubscriptionId};
use serde::Serialize;

use crate::error::{Failure, unavailable};
use crate::item::{SERVICE, number};
use crate::keys::subscriptions as own;
use crate::retry::RetryBudget;
use crate::services::Services;
use crate::table::{EXISTS, condition_met};

/// Condition: no success at `:at` or later is recorded.
pub(super) const NO_SUCCESS_SINCE: &str = "(attribute_not_exists(workedAt) OR workedAt < :at)";

impl Services {
    /// The update of a subscription's row; the caller adds the condition.
    pub(super) fn health_row(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
    ) -> Result<UpdateItemFluentBuilder, PortError> {
        Ok(self
            .tables()
            .update_item()
            .table_name(self.subscriptions_table()?)
            .set_key(Some(own::subscription(account, id).attributes())))
    }

    /// Executes the update; a failed condition is ignored.
    pub(super) async fn update_health(
        &self,
        update: UpdateItemFluentBuilder,
    ) -> Result<(), PortError> {
        let mut retries = RetryBudget::new();
        loop {
            match condition_met(update.clone().send().await) {
                Ok(_) => return Ok(()),
                Err(Failure::Busy) => retries.wait().await?,
                Err(failure) => return Err(failure.into_error()),
            }
        }
    }
}

/// The update that records a failure, on condition that no later success is recorded and that the series of failures is the one
/// that was read.
pub(super) fn failure_update(
    update: UpdateItemFluentBuilder,
    failure: &FailedAttempt,
) -> UpdateItemFluentBuilder {
    let update = update
        .update_expression("SET failingSince = :since, failedAt = :failed")
        .expression_attribute_values(":since", number(failure.since.milliseconds()))
        .expression_attribute_values(":failed", number(failure.at.milliseconds()))
        .expression_attribute_values(":at", number(failure.superseded_from().milliseconds()));
    match failure.expected_since {
        None => update.condition_expression(format!(
            "{EXISTS} AND {NO_SUCCESS_SINCE} AND attribute_not_exists(failingSince)"
        )),
        Some(expected) => update
            .condition_expression(format!("{NO_SUCCESS_SINCE} AND failingSince = :seen"))
            .expression_attribute_values(":seen", number(expected.milliseconds())),
    }
}

pub(super) fn attribute(value: &impl Serialize) -> Result<AttributeValue, PortError> {
    serde_dynamo::to_attribute_value(value)
        .map_err(|_| unavailable(SERVICE, "cannot serialize the attribute"))
}
