//! New secrets for a subscription: every secret signs as long as it was promised to.

use thiserror::Error;

use super::record::Subscription;
use super::secret::SealedSecret;
use crate::timestamp::Timestamp;

/// As many secrets sign as may at the same time.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("as many secrets sign as may at the same time")]
pub struct SecretsInUse {
    /// When the first of them ends.
    pub until: Timestamp,
}

impl Subscription {
    /// Most secrets that sign at the same time: each is a signature in a header of every delivery.
    pub const MOST_SECRETS: usize = 5;

    /// The same without the secrets that have ended by `now`, if there is room for one more.
    ///
    /// # Errors
    /// [`SecretsInUse`] while [`Subscription::MOST_SECRETS`] sign: each was promised to do so until its end.
    pub fn with_room_for_secret(&self, now: Timestamp) -> Result<Self, SecretsInUse> {
        let secrets = self.secrets.iter().filter(|secret| secret.signs(now));
        let secrets: Vec<_> = secrets.cloned().collect();
        let first_end = secrets.iter().filter_map(|secret| secret.valid_until).min();
        match first_end {
            Some(until) if secrets.len() >= Self::MOST_SECRETS => Err(SecretsInUse { until }),
            _ => Ok(Self {
                secrets,
                ..self.clone()
            }),
        }
    }

    /// The same with a new secret. The present one goes on signing beside it until `overlap_ends`, and each older one as
    /// long as it was promised to.
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

    /// The secrets that sign at `at`, in their order.
    fn signing(webhook: &Subscription, at: i64) -> Vec<&str> {
        let secrets = webhook.secrets.iter();
        let signing = secrets.filter(|secret| secret.signs(Timestamp(at)));
        signing.map(|secret| secret.ciphertext.as_str()).collect()
    }

    #[test]
    fn a_secret_signs_until_its_end_whatever_rotates_meanwhile() {
        let first = rotate(&webhook(), 10, "1").unwrap();
        let second = rotate(&first, 50, "2").unwrap();
        assert_eq!(second.revision, 3);
        assert_eq!(signing(&second, 109), ["2", "1", "0"]);
        assert_eq!(signing(&second, 110), ["2", "1"]);
        assert_eq!(signing(&second, 149), ["2", "1"]);
        assert_eq!(signing(&second, 150), ["2"]);
        // What has ended is not kept.
        assert_eq!(rotate(&second, 110, "3").unwrap().secrets.len(), 3);
    }

    #[test]
    fn a_sixth_secret_waits_for_the_end_of_the_first() {
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
