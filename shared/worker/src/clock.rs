//! The time that leases and moves are written with.

use std::time::{SystemTime, UNIX_EPOCH};

use domain::timestamp::Timestamp;

/// Tells the time; tests replace it.
pub(crate) type Clock = Box<dyn Fn() -> Timestamp + Send + Sync>;

/// The machine's clock.
pub(crate) fn system() -> Timestamp {
    let since_epoch = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    Timestamp(0).plus(since_epoch)
}
