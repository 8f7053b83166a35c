//! Tokens of the public page for the sandbox API: signed, valid for 15 minutes.

use std::time::Duration;

use subtle::ConstantTimeEq;

use crate::key::Pepper;
use crate::timestamp::Timestamp;

/// Validity of a token.
pub const VALID_FOR: Duration = Duration::from_secs(15 * 60);

/// Purpose of the signature, which separates it from other signatures.
const PURPOSE: &str = "sandbox-token";

/// Creates a token at `now`: expiry in Unix seconds, and its signature.
#[must_use]
pub fn mint(pepper: &Pepper, now: Timestamp) -> String {
    let ends = now.plus(VALID_FOR).seconds().to_string();
    let signature = pepper.sign(&[PURPOSE, &ends]);
    format!("{ends}.{signature}")
}

/// Whether `token` was created by this service and has not expired at `now`.
#[must_use]
pub fn is_valid(pepper: &Pepper, token: &str, now: Timestamp) -> bool {
    let Some((ends, signature)) = token.split_once('.') else {
        return false;
    };
    // Constant-time compare.
    let genuine: bool = pepper
        .sign(&[PURPOSE, ends])
        .as_bytes()
        .ct_eq(signature.as_bytes())
        .into();
    genuine && ends.parse::<i64>().is_ok_and(|ends| ends > now.seconds())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp(1_795_250_000_000);

    fn pepper(secret: &str) -> Pepper {
        Pepper::new(secret.to_owned().into())
    }

    #[test]
    fn a_token_is_valid_for_15_minutes() {
        let token = mint(&pepper("one"), NOW);
        assert!(is_valid(&pepper("one"), &token, NOW));
        let last = NOW.plus(VALID_FOR - Duration::from_secs(1));
        assert!(is_valid(&pepper("one"), &token, last));
        assert!(!is_valid(&pepper("one"), &token, NOW.plus(VALID_FOR)));
    }

    #[test]
    fn foreign_tokens_are_rejected() {
        let token = mint(&pepper("one"), NOW);
        assert!(!is_valid(&pepper("two"), &token, NOW));
        let (ends, signature) = token.split_once('.').unwrap();
        let later = format!("{}.{signature}", ends.parse::<i64>().unwrap() + 1);
        let other_purpose = pepper("one").sign(&["cursor", ends]);
        for junk in [
            "",
            ".",
            ends,
            signature,
            &later,
            &token.to_uppercase(),
            &format!("{ends}."),
            &format!("{ends}.{other_purpose}"),
        ] {
            assert!(!is_valid(&pepper("one"), junk, NOW), "{junk}");
        }
    }
}
