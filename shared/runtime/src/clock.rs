//! System clock and random numbers, which the domain takes as arguments.

use std::time::SystemTime;

use domain::timestamp::Timestamp;

/// Returns the current time.
#[must_use]
pub fn now() -> Timestamp {
    SystemTime::now().into()
}

/// Returns random bytes for an API key: below 248, the largest multiple of 62 within a byte, so that the base62 characters are
/// uniformly distributed.
#[must_use]
pub fn key_material() -> [u8; 48] {
    std::array::from_fn(|_| rand::random_range(0..248))
}

/// Returns random bytes for a webhook signing secret.
#[must_use]
pub fn secret_material() -> [u8; 24] {
    rand::random()
}

/// Returns a random number in `[0, 1)`, for jitter.
#[must_use]
pub fn jitter() -> f64 {
    rand::random()
}

/// Returns 128 cryptographically secure random bits.
#[must_use]
pub fn random() -> u128 {
    rand::random()
}
