//! Webhook signatures and their secrets by Standard Webhooks 1.0 (standardwebhooks.com): HMAC-SHA-256 over
//! `<id>.<timestamp>.<body>`.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use secrecy::{ExposeSecret as _, SecretSlice};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use thiserror::Error;

use crate::id::EventId;
use crate::timestamp::Timestamp;

const PREFIX: &str = "whsec_";

/// The text is not a signing secret.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("not a signing secret")]
pub struct SigningSecretError;

/// A signing secret of at least 24 bytes. `Debug` prints `***`.
#[derive(Clone)]
pub struct SigningSecret(SecretSlice<u8>);

impl SigningSecret {
    /// Length of a new secret in random bytes; the standard requires 24 to 64.
    pub const LENGTH: usize = 24;

    /// Creates a secret from random bytes.
    #[must_use]
    pub fn new(random: [u8; Self::LENGTH]) -> Self {
        Self(SecretSlice::from(random.to_vec()))
    }

    /// Parses the output of [`SigningSecret::reveal`].
    ///
    /// # Errors
    /// [`SigningSecretError`] for any other text.
    pub fn parse(text: &str) -> Result<Self, SigningSecretError> {
        let encoded = text.strip_prefix(PREFIX).ok_or(SigningSecretError)?;
        let bytes = STANDARD.decode(encoded).map_err(|_| SigningSecretError)?;
        if bytes.len() < Self::LENGTH {
            return Err(SigningSecretError);
        }
        Ok(Self(SecretSlice::from(bytes)))
    }

    /// Returns the secret as configured at receivers, `whsec_…`. It is shown once, on creation.
    #[must_use]
    pub fn reveal(&self) -> String {
        format!("{PREFIX}{}", STANDARD.encode(self.0.expose_secret()))
    }

    /// Signs a webhook delivery: returns a signature for the header `webhook-signature`, `v1,` and base64. `at` is truncated
    /// to seconds.
    #[must_use]
    pub fn sign(&self, event: &EventId, at: Timestamp, body: &str) -> String {
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(self.0.expose_secret()) else {
            unreachable!("HMAC accepts keys of any length");
        };
        mac.update(format!("{event}.{}.{body}", at.seconds()).as_bytes());
        format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
    }
}

impl fmt::Debug for SigningSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SigningSecret(***)")
    }
}

/// A stored secret: encrypted, and bound to its subscription. `Debug` omits the ciphertext.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SealedSecret {
    /// Ciphertext of the key management service, in base64.
    pub ciphertext: String,
    /// Time until which the secret signs; `None` means indefinitely.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<Timestamp>,
}

impl SealedSecret {
    /// Whether the secret signs deliveries at `now`.
    #[must_use]
    pub fn signs(&self, now: Timestamp) -> bool {
        self.valid_until.is_none_or(|until| now < until)
    }
}

impl fmt::Debug for SealedSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SealedSecret(***, until {:?})", self.valid_until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret() -> SigningSecret {
        SigningSecret::new(std::array::from_fn(|index| u8::try_from(index).unwrap()))
    }

    #[test]
    fn a_secret_round_trips_and_is_never_printed() {
        let text = secret().reveal();
        assert_eq!(text, "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX");
        assert_eq!(SigningSecret::parse(&text).unwrap().reveal(), text);
        assert_eq!(format!("{:?}", secret()), "SigningSecret(***)");
        for junk in [
            "",
            "whsec_",
            "whsec_AAEC",
            "whsec_!",
            &text["whsec_".len()..],
        ] {
            assert!(SigningSecret::parse(junk).is_err(), "{junk}");
        }
    }

    #[test]
    fn a_signature_depends_on_secret_identifier_second_and_body() {
        let (one, two) = (
            EventId::mint(Timestamp(1), 1),
            EventId::mint(Timestamp(1), 2),
        );
        let sign = |event: &EventId, at, body| secret().sign(event, Timestamp(at), body);
        let signature = sign(&one, 1_000, "{}");
        assert_eq!(signature, sign(&one, 1_999, "{}"));
        assert_ne!(signature, sign(&two, 1_000, "{}"));
        assert_ne!(signature, sign(&one, 2_000, "{}"));
        assert_ne!(signature, sign(&one, 1_000, "{ }"));
        let other = SigningSecret::new([9; 24]);
        assert_ne!(signature, other.sign(&one, Timestamp(1_000), "{}"));
    }
}
