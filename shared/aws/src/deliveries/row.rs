//! The row of a delivery.

use domain::outbox::delivery_shard;
use domain::ports::PortError;
use domain::subscription::Delivery;
use domain::timestamp::Timestamp;

use crate::item::{self, EXPIRES, Item, number, text};
use crate::job_item::{DUE_AT, DUE_SHARD, SENT, WRITE};
use crate::keys::subscriptions as keys;

/// The row as written by the write `write`. It is in the index `due` if `due` is given.
pub(super) fn delivery(
    delivery: &Delivery,
    due: Option<Timestamp>,
    write: &str,
) -> Result<Item, PortError> {
    let subscription = &delivery.subscription_id;
    let mut row = item::write(&keys::delivery(subscription, &delivery.id), delivery)?;
    row.insert(WRITE.to_owned(), text(write));
    row.insert(SENT.to_owned(), number(0));
    row.insert(EXPIRES.to_owned(), number(delivery.expires_at.seconds()));
    if let Some(due) = due {
        row.insert(DUE_SHARD.to_owned(), number(delivery_shard(subscription)));
        row.insert(DUE_AT.to_owned(), number(due.milliseconds()));
    }
    Ok(row)
}
