//! How receivers do: single attributes of subscriptions that are there.

use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::AttributeValue;
use domain::id::AccountId;
use domain::ports::PortError;
use domain::subscription::{FailedAttempt, SubscriptionId};
use serde::Serialize;

use crate::error::{Failure, unavailable};
use crate::item::{SERVICE, number};
use crate::keys::subscriptions as own;
use crate::retry::Patience;
use crate::services::Services;
use crate::table::{KNOWN, held};

/// The condition that no success is known of `:at` or later.
pub(super) const NOT_WORKED_SINCE: &str = "(attribute_not_exists(workedAt) OR workedAt < :at)";

impl Services {
    /// A change of a subscription's row, which has to say on what condition.
    pub(super) fn note_on(
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

    /// Writes a note, if its condition holds.
    pub(super) async fn note(&self, note: UpdateItemFluentBuilder) -> Result<(), PortError> {
        let mut patience = Patience::new();
        loop {
            match held(note.clone().send().await) {
                Ok(_) => return Ok(()),
                Err(Failure::Busy) => patience.wait().await?,
                Err(failure) => return Err(failure.into_error()),
            }
        }
    }
}

/// The note of a failure in the row of failures that was seen.
pub(super) fn failing(
    note: UpdateItemFluentBuilder,
    failure: &FailedAttempt,
) -> UpdateItemFluentBuilder {
    let note = note
        .update_expression("SET failingSince = :since, failedAt = :failed")
        .expression_attribute_values(":since", number(failure.since.milliseconds()))
        .expression_attribute_values(":failed", number(failure.at.milliseconds()))
        .expression_attribute_values(":at", number(failure.outweighed_from().milliseconds()));
    match failure.seen_since {
        None => note.condition_expression(format!(
            "{KNOWN} AND {NOT_WORKED_SINCE} AND attribute_not_exists(failingSince)"
        )),
        Some(seen) => note
            .condition_expression(format!("{NOT_WORKED_SINCE} AND failingSince = :seen"))
            .expression_attribute_values(":seen", number(seen.milliseconds())),
    }
}

pub(super) fn attribute(value: &impl Serialize) -> Result<AttributeValue, PortError> {
    serde_dynamo::to_attribute_value(value)
        .map_err(|_| unavailable(SERVICE, "a note cannot be stored"))
}
