//! API keys: `oct_<keyId>_<secret>`. The last six characters of the secret are a checksum.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use subtle::ConstantTimeEq;

const PREFIX: &str = "oct";
const ID_LENGTH: usize = 16;
const RANDOM_LENGTH: usize = 32;
const CHECKSUM_LENGTH: usize = 6;
const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Maximum length of a key's name in characters.
const MAX_NAME_LENGTH: usize = 100;

/// Whether `text` is a valid key name: 1 to 100 characters without control characters.
#[must_use]
pub fn is_valid_name(text: &str) -> bool {
    !text.is_empty()
        && text.chars().count() <= MAX_NAME_LENGTH
        && !text.chars().any(char::is_control)
}

/// The public part of a key, used for lookup and revocation.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct KeyId(String);

impl KeyId {
    /// Returns the identifier as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Parses a key identifier; `None` if it is invalid.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        (text.len() == ID_LENGTH && text.bytes().all(|byte| byte.is_ascii_alphanumeric()))
            .then(|| Self(text.to_owned()))
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A complete key as sent by clients. `Debug` prints `***`.
#[derive(Clone)]
pub struct ApiKey {
    id: KeyId,
    secret: SecretString,
}

impl ApiKey {
    /// Creates a key from 48 random bytes; each becomes one base-62 character.
    #[must_use]
    pub fn mint(random: &[u8; ID_LENGTH + RANDOM_LENGTH]) -> Self {
        let text: String = random.iter().map(|byte| base62(u32::from(*byte))).collect();
        let (id, secret) = text.split_at_checked(ID_LENGTH).unwrap_or((&text, ""));
        let checksum = checksum(id, secret);
        Self {
            id: KeyId(id.to_owned()),
            secret: SecretString::from(format!("{secret}{checksum}")),
        }
    }

    /// Parses a key; `None` if its form or checksum is wrong, so that invalid keys are rejected without a database read.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('_');
        let (prefix, id, secret) = (parts.next()?, parts.next()?, parts.next()?);
        if prefix != PREFIX || parts.next().is_some() {
            return None;
        }
        let id = KeyId::parse(id)?;
        let (random, sum) = secret.split_at_checked(RANDOM_LENGTH)?;
        (sum == checksum(id.as_str(), random)).then(|| Self {
            id,
            secret: SecretString::from(secret),
        })
    }

    /// Returns the public part.
    #[must_use]
    pub fn id(&self) -> &KeyId {
        &self.id
    }

    /// Returns the hash of the secret, which is stored instead of the secret.
    #[must_use]
    pub fn hash(&self, pepper: &Pepper) -> SecretHash {
        SecretHash(pepper.sign(&["api-key", self.id.as_str(), self.secret.expose_secret()]))
    }

    /// Returns the complete key in clear. It is shown once, on creation.
    #[must_use]
    pub fn reveal(&self) -> String {
        format!("{PREFIX}_{}_{}", self.id, self.secret.expose_secret())
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ApiKey({}, ***)", self.id)
    }
}

/// HMAC-SHA-256 of a key's secret, in lower-case hexadecimal.
#[derive(Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SecretHash(String);

impl SecretHash {
    /// Returns the hash as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl PartialEq for SecretHash {
    fn eq(&self, other: &Self) -> bool {
        // Constant-time compare.
        self.0.as_bytes().ct_eq(other.0.as_bytes()).into()
    }
}

impl Eq for SecretHash {}

impl fmt::Debug for SecretHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretHash(***)")
    }
}

/// The pepper: the service secret for hashing keys and signing cursors. `Debug` prints `***`.
#[derive(Clone)]
pub struct Pepper(SecretString);

impl Pepper {
    /// Wraps the secret from the secret store.
    #[must_use]
    pub fn new(secret: SecretString) -> Self {
        Self(secret)
    }

    /// Returns the HMAC-SHA-256 over the length-prefixed parts, in lower-case hexadecimal.
    #[must_use]
    pub fn sign(&self, parts: &[&str]) -> String {
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(self.0.expose_secret().as_bytes()) else {
            unreachable!("HMAC accepts keys of any length");
        };
        for part in parts {
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part.as_bytes());
        }
        hex(&mac.finalize().into_bytes())
    }
}

impl fmt::Debug for Pepper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pepper(***)")
    }
}

/// Encodes bytes in lower-case hexadecimal.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the checksum: CRC-32 over identifier and random part, as six base-62 digits.
fn checksum(id: &str, random: &str) -> String {
    let mut crc = crc32fast::Hasher::new();
    crc.update(id.as_bytes());
    crc.update(random.as_bytes());
    let mut rest = crc.finalize();
    let mut digits = [0; CHECKSUM_LENGTH];
    for digit in digits.iter_mut().rev() {
        *digit = rest % 62;
        rest /= 62;
    }
    digits.into_iter().map(base62).collect()
}

fn base62(value: u32) -> char {
    ALPHABET
        .get((value % 62) as usize)
        .map_or('0', |byte| char::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> ApiKey {
        ApiKey::mint(&std::array::from_fn(|index| {
            u8::try_from(index * 5).unwrap()
        }))
    }

    fn pepper(text: &str) -> Pepper {
        Pepper::new(SecretString::from(text))
    }

    #[test]
    fn a_key_round_trips_and_has_two_segments_after_its_prefix() {
        let text = key().reveal();
        assert_eq!(text.split('_').count(), 3);
        assert_eq!(text.len(), 4 + 16 + 1 + 32 + 6);
        assert_eq!(ApiKey::parse(&text).unwrap().reveal(), text);
    }

    #[test]
    fn one_changed_character_fails_the_checksum() {
        let text = key().reveal();
        for index in 4..text.len() {
            let mut changed = text.clone().into_bytes();
            changed[index] = if changed[index] == b'A' { b'B' } else { b'A' };
            assert!(
                ApiKey::parse(&String::from_utf8(changed).unwrap()).is_none(),
                "at {index}"
            );
        }
    }

    #[test]
    fn the_hash_depends_on_identifier_secret_and_pepper() {
        let other = ApiKey::mint(&[7; 48]);
        assert_ne!(key().hash(&pepper("a")), other.hash(&pepper("a")));
        assert_ne!(key().hash(&pepper("a")), key().hash(&pepper("b")));
        assert_eq!(key().hash(&pepper("a")), key().hash(&pepper("a")));
    }

    #[test]
    fn nothing_secret_is_printed() {
        let printed = format!(
            "{:?} {:?} {:?}",
            key(),
            key().hash(&pepper("p")),
            pepper("hidden")
        );
        assert_eq!(
            printed,
            format!("ApiKey({}, ***) SecretHash(***) Pepper(***)", key().id())
        );
    }

    #[test]
    fn a_name_is_short_and_has_no_control_characters() {
        for good in ["a", "büro 2", &"ü".repeat(100)] {
            assert!(is_valid_name(good), "{good}");
        }
        for bad in ["", "a\nb", "\u{7f}", "\u{85}", &"a".repeat(101)] {
            assert!(!is_valid_name(bad), "{bad:?}");
        }
    }

    #[test]
    fn a_signature_depends_on_the_boundaries_of_its_parts() {
        assert_ne!(
            pepper("p").sign(&["ab", "c"]),
            pepper("p").sign(&["a", "bc"])
        );
    }
}
