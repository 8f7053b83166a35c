//! The secret that deliveries are signed with, after Standard Webhooks 1.0 (standardwebhooks.com): HMAC-SHA-256 over
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

/// A signing secret of 24 bytes or more. Prints as `***`.
#[derive(Clone)]
pub struct SigningSecret(SecretSlice<u8>);

impl SigningSecret {
    /// How many random bytes a new secret has; the standard asks for 24 to 64.
    pub const LENGTH: usize = 24;

    /// A new secret from random bytes.
    #[must_use]
    pub fn new(random: [u8; Self::LENGTH]) -> Self {
        Self(SecretSlice::from(random.to_vec()))
    }

    /// Reads what [`SigningSecret::reveal`] wrote.
    ///
    /// # Errors
    /// [`SigningSecretError`] for anything else.
    pub fn parse(text: &str) -> Result<Self, SigningSecretError> {
        let encoded = text.strip_prefix(PREFIX).ok_or(SigningSecretError)?;
        let bytes = STANDARD.decode(encoded).map_err(|_| SigningSecretError)?;
        if bytes.len() < Self::LENGTH {
            return Err(SigningSecretError);
        }
        Ok(Self(SecretSlice::from(bytes)))
    }

    /// The secret as receivers keep it, `whsec_…`: shown once, to the one who created it.
    #[must_use]
    pub fn reveal(&self) -> String {
        format!("{PREFIX}{}", STANDARD.encode(self.0.expose_secret()))
    }

    /// One signature, as the header `webhook-signature` holds it: `v1,` and base 64. `at` counts in whole seconds.
    #[must_use]
    pub fn sign(&self, event: &EventId, at: Timestamp, body: &str) -> String {
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(self.0.expose_secret()) else {
            unreachable!("HMAC takes a key of any length");
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

/// A secret as it is stored: encrypted, bound to its subscription. Prints without its ciphertext.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SealedSecret {
    /// What the key service made of it, in base 64.
    pub ciphertext: String,
    /// Until when it signs; for good when there is no end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<Timestamp>,
}

impl SealedSecret {
    /// Whether deliveries are signed with it at `now`.
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
    fn a_secret_reads_back_and_is_never_printed() {
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
