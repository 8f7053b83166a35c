//! Idempotency keys: a repeated request with the same key and body returns the same job.

use serde_json::Value;
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::id::AccountId;
use crate::key::hex;

/// Allowed length of a key in characters.
pub const KEY_LENGTH: std::ops::RangeInclusive<usize> = 8..=200;

/// The header is not a valid idempotency key.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("Idempotency-Key must be 8 to 200 visible ASCII characters")]
pub struct InvalidIdempotencyKey;

/// An idempotency key chosen by the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyKey(String);

impl IdempotencyKey {
    /// Parses a key, checking length and characters.
    ///
    /// # Errors
    /// [`InvalidIdempotencyKey`] if the key does not have 8 to 200 visible ASCII characters.
    pub fn parse(text: &str) -> Result<Self, InvalidIdempotencyKey> {
        let valid =
            KEY_LENGTH.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        if valid {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidIdempotencyKey)
        }
    }

    /// Creates a key that no client uses, for a request without one.
    #[must_use]
    pub fn unique(random: u128) -> Self {
        Self(format!("octavo {random:032x}"))
    }

    /// Returns the hash of the key for storage, bound to the account and the route.
    #[must_use]
    pub fn fingerprint(&self, account: &AccountId, route: &str) -> String {
        digest(&[account.as_str(), route, &self.0])
    }
}

/// Returns the SHA-256 of a body in canonical form: members sorted by name, no white space, so that the order of members does
/// not matter [RFC 8785, without its number formatting, which does not vary within one client].
#[must_use]
pub fn body_hash(body: &Value) -> String {
    let mut canonical = String::new();
    write_canonical(body, &mut canonical);
    digest(&[&canonical])
}

/// Returns the hash of a request for a job: of its body and of the query parameter `strict`, which changes the outcome.
#[must_use]
pub fn job_request_hash(body: &Value, strict: bool) -> String {
    match strict {
        false => body_hash(body),
        true => digest(&[&body_hash(body), "strict"]),
    }
}

fn write_canonical(value: &Value, out: &mut String) {
    match value {
        Value::Object(members) => {
            let mut names: Vec<_> = members.iter().collect();
            names.sort_by(|left, right| left.0.cmp(right.0));
            out.push('{');
            for (name, member) in names {
                out.push_str(&Value::from(name.as_str()).to_string());
                out.push(':');
                write_canonical(member, out);
                out.push(',');
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for item in items {
                write_canonical(item, out);
                out.push(',');
            }
            out.push(']');
        }
        scalar => out.push_str(&scalar.to_string()),
    }
}

/// Returns the SHA-256 over the length-prefixed parts, in lower-case hexadecimal.
pub(crate) fn digest(parts: &[&str]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_be_bytes());
        hasher.update(part.as_bytes());
    }
    hex(&hasher.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timestamp::Timestamp;
    use serde_json::json;

    #[test]
    fn keys_are_8_to_200_visible_ascii_characters() {
        assert!(IdempotencyKey::parse(&"k".repeat(8)).is_ok());
        assert!(IdempotencyKey::parse(&"k".repeat(200)).is_ok());
        for bad in [
            "",
            "1234567",
            "with space",
            "tab\tinside",
            "ümlautig",
            &"k".repeat(201),
        ] {
            assert_eq!(
                IdempotencyKey::parse(bad),
                Err(InvalidIdempotencyKey),
                "{bad:?}"
            );
        }
    }

    #[test]
    fn a_fingerprint_is_bound_to_account_and_route() {
        let key = IdempotencyKey::parse("12345678").unwrap();
        let one = AccountId::mint(Timestamp(1), 1);
        let two = AccountId::mint(Timestamp(1), 2);
        assert_ne!(
            key.fingerprint(&one, "POST /jobs"),
            key.fingerprint(&two, "POST /jobs")
        );
        assert_ne!(
            key.fingerprint(&one, "POST /jobs"),
            key.fingerprint(&one, "POST /pipeline")
        );
    }

    #[test]
    fn the_hash_ignores_the_order_of_members_only() {
        assert_eq!(
            body_hash(&json!({"a": {"b": 1, "c": 2}, "d": 3})),
            body_hash(&json!({"d": 3, "a": {"c": 2, "b": 1}}))
        );
        assert_ne!(body_hash(&json!([1, 2])), body_hash(&json!([2, 1])));
        assert_ne!(body_hash(&json!({"a": "1"})), body_hash(&json!({"a": 1})));
    }
}
