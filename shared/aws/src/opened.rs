//! Signing secrets that this process has opened.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use domain::subscription::{SigningSecret, SubscriptionId};

/// Most opened secrets that a process keeps.
const KEPT: usize = 1_000;

/// Secrets that this process has opened, by subscription and ciphertext. Prints as `***`.
#[derive(Default)]
pub(crate) struct Opened(Mutex<HashMap<(SubscriptionId, String), SigningSecret>>);

impl Opened {
    pub(crate) fn find(
        &self,
        subscription: &SubscriptionId,
        ciphertext: &str,
    ) -> Option<SigningSecret> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let name = (subscription.clone(), ciphertext.to_owned());
        known.get(&name).cloned()
    }

    /// Keeps a secret; all others are forgotten when there are too many.
    pub(crate) fn keep(
        &self,
        subscription: &SubscriptionId,
        ciphertext: &str,
        secret: &SigningSecret,
    ) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= KEPT {
            known.clear();
        }
        let name = (subscription.clone(), ciphertext.to_owned());
        known.insert(name, secret.clone());
    }
}

impl fmt::Debug for Opened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Opened(***)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::id::WebhookId;
    use domain::timestamp::Timestamp;

    #[test]
    fn what_is_kept_is_bounded_and_found_for_its_subscription_alone() {
        let name = |number| SubscriptionId::Webhook(WebhookId::mint(Timestamp(1), number));
        let (opened, secret) = (Opened::default(), SigningSecret::new([7; 24]));
        opened.keep(&name(1), "sealed", &secret);
        assert!(opened.find(&name(1), "sealed").is_some());
        assert!(opened.find(&name(2), "sealed").is_none());
        assert!(opened.find(&name(1), "other").is_none());
        for number in 0..KEPT {
            opened.keep(&name(3), &number.to_string(), &secret);
        }
        assert!(opened.0.lock().unwrap().len() <= KEPT);
        assert!(opened.find(&name(3), &(KEPT - 1).to_string()).is_some());
    }
}
