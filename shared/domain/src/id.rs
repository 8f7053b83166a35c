//! Typed identifiers: a prefix for the type and a lower-case ULID, which sorts by time.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use thiserror::Error;
use ulid::Ulid;

use crate::timestamp::Timestamp;

/// The text is not an identifier of the expected type.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("not a valid {0} identifier")]
pub struct InvalidId(pub &'static str);

macro_rules! identifiers {
    ($($(#[$doc:meta])* $name:ident = $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        #[serde(try_from = "String", into = "String")]
        #[schemars(with = "String")]
        pub struct $name(String);

        impl $name {
            /// Prefix of the identifiers of this type.
            pub const PREFIX: &'static str = $prefix;

            /// Creates an identifier at `now`; `random` makes it unique.
            #[must_use]
            pub fn mint(now: Timestamp, random: u128) -> Self {
                Self(format!("{}{}", $prefix, ulid(now, random)))
            }

            /// Derives an identifier from `name`, so that a retry yields the same one.
            #[must_use]
            pub fn derive(now: Timestamp, name: &str) -> Self {
                Self::mint(now, digest(name))
            }

            /// Returns the identifier as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// Returns the creation time, which is part of the identifier.
            #[must_use]
            pub fn timestamp(&self) -> Timestamp {
                let ulid = self.0.get($prefix.len()..).and_then(|rest| Ulid::from_string(rest).ok());
                let milliseconds = ulid.map_or(0, |ulid| ulid.timestamp_ms());
                Timestamp(i64::try_from(milliseconds).unwrap_or(0))
            }
        }

        impl FromStr for $name {
            type Err = InvalidId;

            fn from_str(text: &str) -> Result<Self, InvalidId> {
                match text.strip_prefix($prefix) {
                    Some(rest) if is_ulid(rest) => Ok(Self(text.to_owned())),
                    _ => Err(InvalidId($prefix)),
                }
            }
        }

        impl TryFrom<String> for $name {
            type Error = InvalidId;

            fn try_from(text: String) -> Result<Self, InvalidId> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    )*};
}

identifiers! {
    /// Identifier of an account, the owner of keys, sources and jobs.
    AccountId = "acc_";
    /// Identifier of a job.
    JobId = "job_";
    /// Identifier of an event.
    EventId = "evt_";
    /// The `sourceKey` of an upload: opaque, and bound to one account.
    SourceKey = "src_";
    /// Identifier of a saved document.
    DocumentId = "doc_";
    /// Identifier of a version of a saved document.
    VersionId = "ver_";
    /// Identifier of a page of a version.
    PageId = "pag_";
    /// Identifier of a webhook.
    WebhookId = "wh_";
    /// Identifier of an automation hook.
    HookId = "hook_";
    /// Identifier of a delivery of one event to one subscription.
    DeliveryId = "dlv_";
}

fn ulid(now: Timestamp, random: u128) -> String {
    let milliseconds = u64::try_from(now.milliseconds()).unwrap_or(0);
    Ulid::from_parts(milliseconds, random)
        .to_string()
        .to_ascii_lowercase()
}

fn is_ulid(text: &str) -> bool {
    text.len() == 26
        && text
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte.is_ascii_lowercase())
        && Ulid::from_string(text).is_ok()
}

fn digest(name: &str) -> u128 {
    Sha256::digest(name.as_bytes())
        .iter()
        .take(16)
        .fold(0, |sum, byte| (sum << 8) | u128::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_sort_by_time_and_round_trip() {
        let earlier = JobId::mint(Timestamp(1_000), u128::MAX);
        let later = JobId::mint(Timestamp(1_001), 0);
        assert!(earlier < later);
        assert_eq!(later.as_str().parse::<JobId>(), Ok(later.clone()));
        assert_eq!(later.as_str(), later.as_str().to_lowercase());
    }

    #[test]
    fn identifiers_of_another_type_are_rejected() {
        let account = AccountId::mint(Timestamp(1), 1);
        assert!(account.as_str().parse::<JobId>().is_err());
        for junk in [
            "",
            "job_",
            "job_zzz",
            "job_../../etc/passwd",
            "JOB_01arz3ndektsv4rrffq69g5fav",
        ] {
            assert!(junk.parse::<JobId>().is_err(), "{junk}");
        }
    }

    #[test]
    fn a_derived_identifier_is_the_same_every_time() {
        let one = EventId::derive(Timestamp(5), "job.created/1");
        assert_eq!(one, EventId::derive(Timestamp(5), "job.created/1"));
        assert_ne!(one, EventId::derive(Timestamp(5), "job.created/2"));
    }
}
