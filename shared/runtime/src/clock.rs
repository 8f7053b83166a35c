//! The present time and randomness, which the rules take as arguments.

use std::time::{SystemTime, UNIX_EPOCH};

use domain::timestamp::Timestamp;

/// The present time.
#[must_use]
pub fn now() -> Timestamp {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// 128 random bits from a generator fit for secrets.
#[must_use]
pub fn random() -> u128 {
    rand::random()
}
