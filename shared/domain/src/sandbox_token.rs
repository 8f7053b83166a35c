//! The token that the public page carries and the sandbox asks for: signed, and good for a quarter of an hour.

use std::time::Duration;

use subtle::ConstantTimeEq;

use crate::key::Pepper;
use crate::timestamp::Timestamp;

/// How long a page may use the token that it carries.
pub const VALID_FOR: Duration = Duration::from_secs(15 * 60);

/// What the signature is for, so that it is good for nothing else.
const PURPOSE: &str = "sandbox-token";

/// A token for a page that is served at `now`: when it ends, in Unix seconds, and the signature of that.
#[must_use]
pub fn mint(pepper: &Pepper, now: Timestamp) -> String {
    let ends = now.plus(VALID_FOR).seconds().to_string();
    let signature = pepper.sign(&[PURPOSE, &ends]);
    format!("{ends}.{signature}")
}

/// Whether this service minted `token` and it is still good at `now`.
#[must_use]
pub fn is_good(pepper: &Pepper, token: &str, now: Timestamp) -> bool {
    let Some((ends, signature)) = token.split_once('.') else {
        return false;
    };
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
    fn a_token_is_good_for_a_quarter_of_an_hour() {
        let token = mint(&pepper("one"), NOW);
        assert!(is_good(&pepper("one"), &token, NOW));
        let last = NOW.plus(VALID_FOR - Duration::from_secs(1));
        assert!(is_good(&pepper("one"), &token, last));
        assert!(!is_good(&pepper("one"), &token, NOW.plus(VALID_FOR)));
    }

    #[test]
    fn what_was_not_minted_here_is_refused() {
        let token = mint(&pepper("one"), NOW);
        assert!(!is_good(&pepper("two"), &token, NOW));
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
            assert!(!is_good(&pepper("one"), junk, NOW), "{junk}");
        }
    }
}
