//! Rows of subscriptions and of their idempotency records.

use std::time::Duration;

use aws_sdk_dynamodb::types::{Put, Update};
use domain::id::AccountId;
use domain::ports::{PortError, SubscriptionRequest};
use domain::submit::Retention;
use domain::subscription::{Subscription, SubscriptionId, delivery_retention};
use domain::timestamp::Timestamp;

use crate::idempotency::{FREE, at};
use crate::item::{self, EXPIRES, Item, number, text};
use crate::keys;
use crate::keys::subscriptions as own;
use crate::transaction::incomplete;

const BODY: &str = "bodyHash";
const SUBSCRIPTION: &str = "subscriptionId";
/// Expiry of an idempotency record, in milliseconds.
const EXPIRES_AT: &str = "expiresAt";
/// How much longer the tombstone of a subscription is kept than its deliveries: a concurrent fan-out may still have added
/// some.
const AFTER_DELIVERIES: Duration = Duration::from_secs(24 * 3_600);

/// The conditional put of an idempotency record: succeeds if its key is free.
pub(super) fn take(
    table: &str,
    request: &SubscriptionRequest,
    subscription: &Subscription,
) -> Result<Put, PortError> {
    let row = item::new(
        &keys::idempotency(&request.fingerprint),
        [
            (BODY, text(&request.body_hash)),
            (SUBSCRIPTION, text(subscription.id.as_str())),
            (keys::ACCOUNT_ID, text(subscription.account_id.as_str())),
            (EXPIRES_AT, number(request.expires_at.milliseconds())),
            (EXPIRES, number(request.expires_at.seconds())),
        ],
    );
    Put::builder()
        .table_name(table)
        .set_item(Some(row))
        .condition_expression(FREE)
        .expression_attribute_values(":now", at(subscription.created_at))
        .build()
        .map_err(|error| incomplete(&error))
}

/// The row by which erasure of the account finds the idempotency record.
pub(super) fn pointer(account: &AccountId, request: &SubscriptionRequest) -> Item {
    let key = own::idempotency_pointer(account, &request.fingerprint);
    item::new(&key, [(EXPIRES, number(request.expires_at.seconds()))])
}

/// The request recorded under an idempotency key.
pub(super) struct RecordedRequest {
    pub(super) body_hash: String,
    pub(super) subscription: SubscriptionId,
    expires_at: Timestamp,
}

impl RecordedRequest {
    /// Parses the row; `None` if it has expired at `now`.
    pub(super) fn read(row: &Item, now: Timestamp) -> Result<Option<Self>, PortError> {
        let read = || {
            let subscription = item::read_text(row, SUBSCRIPTION)?.to_owned();
            Some(Self {
                body_hash: item::read_text(row, BODY)?.to_owned(),
                subscription: SubscriptionId::try_from(subscription).ok()?,
                expires_at: Timestamp(item::read_number(row, EXPIRES_AT)?),
            })
        };
        let recorded = read().ok_or_else(|| item::unreadable(item::key_of(row).as_ref()))?;
        Ok(Some(recorded).filter(|recorded| recorded.expires_at > now))
    }
}

/// Increments the count, on condition that it is below `most`.
pub(super) fn increment_count(
    table: &str,
    account: &AccountId,
    most: u32,
) -> Result<Update, PortError> {
    Update::builder()
        .table_name(table)
        .set_key(Some(own::count(account).attributes()))
        .update_expression("ADD held :one")
        .condition_expression("attribute_not_exists(held) OR held < :most")
        .expression_attribute_values(":one", number(1))
        .expression_attribute_values(":most", number(most))
        .build()
        .map_err(|error| incomplete(&error))
}

/// Decrements the count.
pub(super) fn decrement_count(table: &str, account: &AccountId) -> Result<Update, PortError> {
    Update::builder()
        .table_name(table)
        .set_key(Some(own::count(account).attributes()))
        .update_expression("ADD held :less")
        .expression_attribute_values(":less", number(-1))
        .build()
        .map_err(|error| incomplete(&error))
}

/// The tombstone of an ended subscription.
pub(super) fn ended(account: &AccountId, id: &SubscriptionId, now: Timestamp) -> Item {
    // The configured retention is not available here, so use its maximum.
    let deliveries_end = now.plus(delivery_retention(Retention::MAX_DAYS));
    let expires = deliveries_end.plus(AFTER_DELIVERIES).seconds();
    let key = own::unsubscribed(account, id);
    item::new(
        &key,
        [
            (SUBSCRIPTION, text(id.as_str())),
            (EXPIRES, number(expires)),
        ],
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::id::WebhookId;
    use domain::timestamp::days;

    #[test]
    fn the_tombstone_of_a_subscription_outlives_its_deliveries() {
        let now = Timestamp(1_795_167_000_000);
        let account = AccountId::mint(now, 1);
        let id = SubscriptionId::Webhook(WebhookId::mint(now, 1));
        let row = ended(&account, &id, now);
        let known_until = item::read_number(&row, EXPIRES).unwrap();
        // The template allows a retention of up to 365 days for jobs; deliveries are kept a week longer.
        let last_delivery = now.plus(days(365 + 7));
        assert!(known_until > last_delivery.seconds());
    }
}
