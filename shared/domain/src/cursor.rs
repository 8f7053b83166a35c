//! Pagination cursors: opaque, signed, and bound to account and filters.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use subtle::ConstantTimeEq;
use thiserror::Error;

use crate::key::Pepper;

/// The cursor was not created by this service for this list.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("the cursor does not belong to this list")]
pub struct InvalidCursor;

const SIGNATURE_LENGTH: usize = 32;

/// Creates the cursor that continues after `position` in the list identified by `scope` (account and filters).
#[must_use]
pub fn seal(pepper: &Pepper, scope: &[&str], position: &str) -> String {
    URL_SAFE_NO_PAD.encode(format!("{}{position}", signature(pepper, scope, position)))
}

/// Parses a cursor and returns its position.
///
/// # Errors
/// [`InvalidCursor`] if it is invalid, was modified, or belongs to another account or other filters.
pub fn open(pepper: &Pepper, scope: &[&str], cursor: &str) -> Result<String, InvalidCursor> {
    let bytes = URL_SAFE_NO_PAD.decode(cursor).map_err(|_| InvalidCursor)?;
    let text = String::from_utf8(bytes).map_err(|_| InvalidCursor)?;
    let (claimed, position) = text
        .split_at_checked(SIGNATURE_LENGTH)
        .ok_or(InvalidCursor)?;
    // Constant-time compare.
    let genuine: bool = signature(pepper, scope, position)
        .as_bytes()
        .ct_eq(claimed.as_bytes())
        .into();
    if genuine {
        Ok(position.to_owned())
    } else {
        Err(InvalidCursor)
    }
}

fn signature(pepper: &Pepper, scope: &[&str], position: &str) -> String {
    let parts: Vec<&str> = ["cursor", position]
        .into_iter()
        .chain(scope.iter().copied())
        .collect();
    pepper.sign(&parts).chars().take(SIGNATURE_LENGTH).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_valid_in_its_own_list_only() {
        let pepper = Pepper::new("pepper".to_owned().into());
        let cursor = seal(&pepper, &["acc_1", "completed"], "job_7");
        assert_eq!(
            open(&pepper, &["acc_1", "completed"], &cursor).unwrap(),
            "job_7"
        );
        assert_eq!(
            open(&pepper, &["acc_2", "completed"], &cursor),
            Err(InvalidCursor)
        );
        assert_eq!(open(&pepper, &["acc_1", ""], &cursor), Err(InvalidCursor));
        for junk in ["", "!!!", "AAAA", &cursor.to_lowercase()] {
            assert_eq!(
                open(&pepper, &["acc_1", "completed"], junk),
                Err(InvalidCursor),
                "{junk}"
            );
        }
    }
}
