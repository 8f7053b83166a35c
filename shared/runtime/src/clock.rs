//! The present time and randomness, which the rules take as arguments.

use std::time::SystemTime;

use domain::timestamp::Timestamp;

/// The present time.
#[must_use]
pub fn now() -> Timestamp {
    SystemTime::now().into()
}

/// What an API key is made of: bytes below 248, the largest multiple of 62, so that every character of a key is equally
/// likely.
#[must_use]
pub fn key_material() -> [u8; 48] {
    std::array::from_fn(|_| rand::random_range(0..248))
}

/// What a signing secret is made of.
#[must_use]
pub fn secret_material() -> [u8; 24] {
    rand::random()
}

/// A number of 0 to 1, to spread what would otherwise come all at once.
#[must_use]
pub fn share() -> f64 {
    rand::random()
}

/// 128 random bits from a generator fit for secrets.
#[must_use]
pub fn random() -> u128 {
    rand::random()
}
