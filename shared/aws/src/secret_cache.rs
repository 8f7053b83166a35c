//! In-memory cache of decrypted signing secrets.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use domain::subscription::{SigningSecret, SubscriptionId};

/// Maximum number of cached secrets.
const MAX_SECRETS: usize = 1_000;

/// Decrypted secrets by subscription and ciphertext. `Debug` prints `***`.
#[derive(Default)]
pub(crate) struct SecretCache(Mutex<HashMap<(SubscriptionId, String), SigningSecret>>);

impl SecretCache {
    pub(crate) fn find(
        &self,
        subscription: &SubscriptionId,
        ciphertext: &str,
    ) -> Option<SigningSecret> {
        let cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let name = (subscription.clone(), ciphertext.to_owned());
        cached.get(&name).cloned()
    }

    /// Caches a secret; clears the cache first if it is full.
    pub(crate) fn keep(
        &self,
        subscription: &SubscriptionId,
        ciphertext: &str,
        secret: &SigningSecret,
    ) {
        let mut cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if cached.len() >= MAX_SECRETS {
            cached.clear();
        }
        let name = (subscription.clone(), ciphertext.to_owned());
        cached.insert(name, secret.clone());
    }
}

impl fmt::Debug for SecretCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretCache(***)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::id::WebhookId;
    use domain::timestamp::Timestamp;

    #[test]
    fn the_cache_is_bounded_and_finds_secrets_by_subscription_and_ciphertext() {
        let name = |number| SubscriptionId::Webhook(WebhookId::mint(Timestamp(1), number));
        let (cache, secret) = (SecretCache::default(), SigningSecret::new([7; 24]));
        cache.keep(&name(1), "sealed", &secret);
        assert!(cache.find(&name(1), "sealed").is_some());
        assert!(cache.find(&name(2), "sealed").is_none());
        assert!(cache.find(&name(1), "other").is_none());
        for number in 0..MAX_SECRETS {
            cache.keep(&name(3), &number.to_string(), &secret);
        }
        assert!(cache.0.lock().unwrap().len() <= MAX_SECRETS);
        assert!(
            cache
                .find(&name(3), &(MAX_SECRETS - 1).to_string())
                .is_some()
        );
    }
}
