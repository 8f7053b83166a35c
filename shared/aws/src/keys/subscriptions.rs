//! Primary keys of the subscriptions table.

use domain::id::{AccountId, DeliveryId};
use domain::subscription::{SubscriptionId, SubscriptionKind};

use crate::item::Key;

/// Prefix of the sort keys of deliveries.
pub(crate) const DELIVERIES: &str = "DELIVERY#";
const COUNT: &str = "SUBSCRIPTIONS";
const IDEMPOTENCY_POINTER: &str = "IDEMPOTENCY#";
const UNSUBSCRIBED: &str = "UNSUBSCRIBED#";

/// The partition of an account's subscriptions.
pub(crate) fn account(account: &AccountId) -> String {
    format!("ACCOUNT#{account}")
}

/// Prefix of the sort keys of the subscriptions of one kind.
pub(crate) fn of_kind(kind: SubscriptionKind) -> &'static str {
    match kind {
        SubscriptionKind::Webhook => "WEBHOOK#",
        SubscriptionKind::Hook => "HOOK#",
    }
}

/// A subscription.
pub(crate) fn subscription(owner: &AccountId, id: &SubscriptionId) -> Key {
    Key::new(account(owner), format!("{}{id}", of_kind(id.kind())))
}

/// The counter of an account's subscriptions.
pub(crate) fn count(owner: &AccountId) -> Key {
    Key::new(account(owner), COUNT)
}

/// The row under an account that points to the record of an idempotency key.
pub(crate) fn idempotency_pointer(owner: &AccountId, fingerprint: &str) -> Key {
    Key::new(
        account(owner),
        format!("{IDEMPOTENCY_POINTER}{fingerprint}"),
    )
}

/// The tombstone of an ended subscription, by which erasure finds its deliveries.
pub(crate) fn unsubscribed(owner: &AccountId, id: &SubscriptionId) -> Key {
    Key::new(account(owner), format!("{UNSUBSCRIBED}{id}"))
}

/// Kind of a row in an account's partition.
#[cfg(feature = "operator")]
pub(crate) enum Row {
    /// A subscription or its tombstone.
    Subscription(SubscriptionId),
    /// Points to the record of an idempotency key with this fingerprint.
    IdempotencyPointer(String),
    /// The counter of subscriptions.
    Count,
}

/// Classifies a row in an account's partition by its sort key.
#[cfg(feature = "operator")]
pub(crate) fn row_of(item: &crate::item::Item) -> Option<Row> {
    let sort = crate::item::read_text(item, crate::item::SORT)?;
    if sort == COUNT {
        return Some(Row::Count);
    }
    if let Some(fingerprint) = sort.strip_prefix(IDEMPOTENCY_POINTER) {
        return Some(Row::IdempotencyPointer(fingerprint.to_owned()));
    }
    let (_, id) = sort.split_once('#')?;
    SubscriptionId::try_from(id.to_owned())
        .ok()
        .map(Row::Subscription)
}

/// The partition of a subscription's deliveries.
pub(crate) fn deliveries(subscription: &SubscriptionId) -> String {
    format!("SUBSCRIPTION#{subscription}")
}

/// A delivery.
pub(crate) fn delivery(subscription: &SubscriptionId, id: &DeliveryId) -> Key {
    Key::new(deliveries(subscription), format!("{DELIVERIES}{id}"))
}
