//! The rows of subscriptions and of what they were asked for with.

use std::time::Duration;

use aws_sdk_dynamodb::types::{Put, Update};
use domain::id::AccountId;
use domain::ports::{PortError, SubscriptionRequest};
use domain::submit::Retention;
use domain::subscription::{Subscription, SubscriptionId, kept_for};
use domain::timestamp::Timestamp;

use crate::idempotency::{FREE, at};
use crate::item::{self, EXPIRES, Item, number, text};
use crate::keys;
use crate::keys::subscriptions as own;
use crate::transaction::incomplete;

const BODY: &str = "bodyHash";
const SUBSCRIPTION: &str = "subscriptionId";
/// When an idempotency key may be used again, in milliseconds.
const EXPIRES_AT: &str = "expiresAt";
/// How much longer than its deliveries are on record it is known that a subscription ended: a fan-out that was under way
/// then may still have added some.
const AFTER_DELIVERIES: Duration = Duration::from_secs(24 * 3_600);

/// The put of what an idempotency key stands for, if it is free when the subscription is created.
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

/// The row by which whoever erases the account finds what an idempotency key stands for.
pub(super) fn pointer(account: &AccountId, request: &SubscriptionRequest) -> Item {
    let key = own::asked(account, &request.fingerprint);
    item::new(&key, [(EXPIRES, number(request.expires_at.seconds()))])
}

/// What an idempotency key stands for.
pub(super) struct Asked {
    pub(super) body_hash: String,
    pub(super) subscription: SubscriptionId,
    expires_at: Timestamp,
}

impl Asked {
    /// Reads the row; `None` when it has expired at `now`.
    pub(super) fn read(row: &Item, now: Timestamp) -> Result<Option<Self>, PortError> {
        let read = || {
            let subscription = item::read_text(row, SUBSCRIPTION)?.to_owned();
            Some(Self {
                body_hash: item::read_text(row, BODY)?.to_owned(),
                subscription: SubscriptionId::try_from(subscription).ok()?,
                expires_at: Timestamp(item::read_number(row, EXPIRES_AT)?),
            })
        };
        let asked = read().ok_or_else(|| item::unreadable(item::key_of(row).as_ref()))?;
        Ok(Some(asked).filter(|asked| asked.expires_at > now))
    }
}

/// One subscription more, unless there are `most` already.
pub(super) fn one_more(table: &str, account: &AccountId, most: u32) -> Result<Update, PortError> {
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

/// One subscription less.
pub(super) fn one_less(table: &str, account: &AccountId) -> Result<Update, PortError> {
    Update::builder()
        .table_name(table)
        .set_key(Some(own::count(account).attributes()))
        .update_expression("ADD held :less")
        .expression_attribute_values(":less", number(-1))
        .build()
        .map_err(|error| incomplete(&error))
}

/// What an ended subscription leaves.
pub(super) fn ended(account: &AccountId, id: &SubscriptionId, now: Timestamp) -> Item {
    // Nobody tells this crate how long jobs are kept: as long as they may be.
    let deliveries_end = now.plus(kept_for(Retention::LONGEST_DAYS));
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
    fn an_ended_subscription_is_known_longer_than_any_of_its_deliveries() {
        let now = Timestamp(1_795_167_000_000);
        let account = AccountId::mint(now, 1);
        let id = SubscriptionId::Webhook(WebhookId::mint(now, 1));
        let row = ended(&account, &id, now);
        let known_until = item::read_number(&row, EXPIRES).unwrap();
        // The template keeps jobs up to 365 days, and deliveries a week longer.
        let last_delivery = now.plus(days(365 + 7));
        assert!(known_until > last_delivery.seconds());
    }
}
