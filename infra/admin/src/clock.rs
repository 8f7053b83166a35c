//! The clock of the operator's machine.

use std::time::{SystemTime, UNIX_EPOCH};

use domain::timestamp::Timestamp;

/// Now. A clock before 1970 reads as 1970.
pub(crate) fn now() -> Timestamp {
    let since_epoch = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    Timestamp(i64::try_from(since_epoch.as_millis()).unwrap_or(i64::MAX))
}
