//! Rotation of signing secrets: an old secret keeps signing until its overlap ends.

use thiserror::Error;

use super::record::Subscription;
use super::secret::SealedSecret;
use crate::timestamp::Timestamp;

/// The maximum number of secrets is already in use.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("the maximum number of signing secrets is in use")]
pub struct SecretsInUse {
    /// End of the first overlap.
    pub until: Timestamp,
}

impl Subscription {
    /// Maximum number of secrets in use: each adds a signature to a header of every delivery.
    pub const MAX_SECRETS: usize = 5;

    /// Removes the secrets whose overlap has ended by `now`, and checks that one more is allowed.
    ///
    /// # Errors
    /// [`SecretsInUse`] while [`Subscription::MAX_SECRETS`] are in use: none is dropped before its overlap ends.
    pub fn with_room_for_secret(&self, now: Timestamp) -> Result<Self, SecretsInUse> {
        let secrets = self.secrets.iter().filter(|secret| secret.signs(now));
        let secrets: Vec<_> = secrets.cloned().collect();
        let first_end = secrets.iter().filter_map(|secret| secret.valid_until).min();
        match first_end {
            Some(until) if secrets.len() >= Self::MAX_SECRETS => Err(SecretsInUse { until }),
            _ => Ok(Self {
                secrets,
                ..self.clone()
            }),
        }
    }

    /// Adds a new secret. The current one keeps signing until `overlap_ends`, earlier ones until their own overlap ends.
    #[must_use]
    pub fn with_secret(&self, ciphertext: String, overlap_ends: Timestamp) -> Self {
        let new = SealedSecret {
            ciphertext,
            valid_until: None,
        };
        let earlier = self.secrets.iter().map(|secret| SealedSecret {
            valid_until: secret.valid_until.or(Some(overlap_ends)),
            ..secret.clone()
        });
        Self {
            secrets: std::iter::once(new).chain(earlier).collect(),
            revision: self.revision + 1,
            ..self.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::{AccountId, WebhookId};
    use crate::source::SourceUrl;
    use crate::subscription::SubscriptionId;

    fn webhook() -> Subscription {
        let id = SubscriptionId::Webhook(WebhookId::mint(Timestamp(0), 1));
        let account = AccountId::mint(Timestamp(0), 1);
        let url = SourceUrl::new("https://receiver.example/");
        Subscription::new(id, account, url, "0".to_owned(), Timestamp(0))
    }

    /// Rotates at `at` to the secret `name`, with an overlap of 100 ms.
    fn rotate(webhook: &Subscription, at: i64, name: &str) -> Result<Subscription, SecretsInUse> {
        let room = webhook.with_room_for_secret(Timestamp(at))?;
        Ok(room.with_secret(name.to_owned(), Timestamp(at + 100)))
    }

    /// Returns the secrets that sign at `at`, in order.
    fn signing(webhook: &Subscription, at: i64) -> Vec<&str> {
        let secrets = webhook.secrets.iter();
        let signing = secrets.filter(|secret| secret.signs(Timestamp(at)));
        signing.map(|secret| secret.ciphertext.as_str()).collect()
    }

    #[test]
    fn a_secret_signs_until_its_overlap_ends_despite_later_rotations() {
        let first = rotate(&webhook(), 10, "1").unwrap();
        let second = rotate(&first, 50, "2").unwrap();
        assert_eq!(second.revision, 3);
        assert_eq!(signing(&second, 109), ["2", "1", "0"]);
        assert_eq!(signing(&second, 110), ["2", "1"]);
        assert_eq!(signing(&second, 149), ["2", "1"]);
        assert_eq!(signing(&second, 150), ["2"]);
        // Expired secrets are removed.
        assert_eq!(rotate(&second, 110, "3").unwrap().secrets.len(), 3);
    }

    #[test]
    fn a_sixth_secret_is_rejected_until_the_first_expires() {
        let mut webhook = webhook();
        for (at, name) in [(1, "1"), (2, "2"), (3, "3"), (4, "4")] {
            webhook = rotate(&webhook, at, name).unwrap();
        }
        assert_eq!(signing(&webhook, 5), ["4", "3", "2", "1", "0"]);
        let until = Timestamp(101);
        assert_eq!(rotate(&webhook, 5, "5"), Err(SecretsInUse { until }));
        assert_eq!(rotate(&webhook, 100, "5"), Err(SecretsInUse { until }));
        let rotated = rotate(&webhook, 101, "5").unwrap();
        assert_eq!(signing(&rotated, 101), ["5", "4", "3", "2", "1"]);
    }
}
