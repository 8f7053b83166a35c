//! How receivers do: single attributes of subscriptions that are there.

use async_trait::async_trait;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::AttributeValue;
use domain::id::AccountId;
use domain::ports::PortError;
use domain::ports::subscriptions::NoteReceivers;
use domain::subscription::{DisabledReason, LastDelivery, SubscriptionId, SubscriptionStatus};
use domain::timestamp::Timestamp;
use serde::Serialize;

use crate::error::{Failure, unavailable};
use crate::item::{SERVICE, number, text};
use crate::job_item::WRITE;
use crate::keys::subscriptions as keys;
use crate::retry::Patience;
use crate::services::Services;
use crate::table::{KNOWN, held, update_once};
use crate::transaction::new_write;

#[async_trait]
impl NoteReceivers for Services {
    async fn note_failing(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
        since: Timestamp,
    ) -> Result<(), PortError> {
        let note = self
            .note_on(account, id)?
            .update_expression("SET failingSince = if_not_exists(failingSince, :since)")
            .condition_expression(KNOWN)
            .expression_attribute_values(":since", number(since.milliseconds()));
        self.note(note).await
    }

    async fn note_working(
        &self,
        account: &AccountId,
        id: &SubscriptionId,
    ) -> Result<(), PortError> {
        let note = self
            .note_on(account, id)?
            .update_expression("REMOVE failingSince")
            .condition_expression(KNOWN);
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
    ) -> Result<bool, PortError> {
        let write = new_write();
        let note = self
            .note_on(account, id)?
            .update_expression("SET #status = :disabled, disabledReason = :reason, #write = :write")
            .condition_expression("#status = :active")
            .expression_attribute_names("#status", "status")
            .expression_attribute_names("#write", WRITE)
            .expression_attribute_values(":active", attribute(&SubscriptionStatus::Active)?)
            .expression_attribute_values(":disabled", attribute(&SubscriptionStatus::Disabled)?)
            .expression_attribute_values(":reason", attribute(&reason)?)
            .expression_attribute_values(":write", text(&write));
        update_once(note, &write).await
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

fn attribute(value: &impl Serialize) -> Result<AttributeValue, PortError> {
    serde_dynamo::to_attribute_value(value)
        .map_err(|_| unavailable(SERVICE, "a note cannot be stored"))
}
