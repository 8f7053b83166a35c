//! How receivers do: single attributes of subscriptions that are there.

use async_trait::async_trait;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::AttributeValue;
use domain::id::AccountId;
use domain::ports::PortError;
use domain::ports::subscriptions::NoteReceivers;
use domain::subscription::{DisabledReason, FailedAttempt, LastDelivery, SlowMark, SubscriptionId};
use domain::timestamp::Timestamp;
use serde::Serialize;

use crate::error::{Failure, unavailable};
use crate::item::{SERVICE, number};
use crate::keys::subscriptions as keys;
use crate::retry::Patience;
use crate::services::Services;
use crate::table::{KNOWN, held};

/// The condition that no success is known of `:at` or later.
const NOT_WORKED_SINCE: &str = "(attribute_not_exists(workedAt) OR workedAt < :at)";

#[async_trait]
impl NoteReceivers for Services {
    async fn note_failing(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        failure: &FailedAttempt,
    ) -> Result<(), PortError> {
        self.note(failing(self.note_on(account, id)?, failure))
            .await
    }

    async fn note_working(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        at: Timestamp,
    ) -> Result<(), PortError> {
        let note = self
            .note_on(account, id)?
            .update_expression("SET workedAt = :at REMOVE failingSince, failedAt")
            .condition_expression(format!("{KNOWN} AND {NOT_WORKED_SINCE}"))
            .expression_attribute_values(":at", number(at.milliseconds()));
        self.note(note).await
    }

    async fn note_slow(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        mark: &SlowMark,
    ) -> Result<(), PortError> {
        let note = self
            .note_on(account, id)?
            .update_expression("SET slowUntil = :until")
            .condition_expression(format!(
                "{KNOWN} AND (attribute_not_exists(slowUntil) OR slowUntil < :enough)"
            ))
            .expression_attribute_values(":until", number(mark.until.milliseconds()))
            .expression_attribute_values(":enough", number(mark.enough.milliseconds()));
        self.note(note).await
    }

    async fn note_last_delivery(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        last: &LastDelivery,
    ) -> Result<(), PortError> {
        // Deliveries end in any order; the newest end counts.
        let note = self
            .note_on(account, id)?
            .update_expression("SET lastDelivery = :last")
            .condition_expression(format!(
                "{KNOWN} AND (attribute_not_exists(lastDelivery) OR lastDelivery.#at <= :at)"
            ))
            .expression_attribute_names("#at", "at")
            .expression_attribute_values(":last", attribute(last)?)
            .expression_attribute_values(":at", number(last.at.milliseconds()));
        self.note(note).await
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
            .set_key(Some(keys::subscription(account, id).attributes())))
    }

    /// Writes a note, if its condition holds.
    async fn note(&self, note: UpdateItemFluentBuilder) -> Result<(), PortError> {
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
fn failing(note: UpdateItemFluentBuilder, failure: &FailedAttempt) -> UpdateItemFluentBuilder {
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
