//! Signing secrets under the key of subscriptions: each bound to its subscription by the encryption context.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use aws_sdk_kms::primitives::Blob;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::ports::PortError;
use domain::ports::subscriptions::{OpenSecrets, SealSecrets};
use domain::subscription::{SealedSecret, SigningSecret, SubscriptionId};

use crate::error::{failed, unavailable};
use crate::services::Services;

const SERVICE: &str = "kms";
/// The member of the encryption context that names the subscription.
const CONTEXT: &str = "subscription";
/// Most opened secrets that a process keeps.
const KEPT: usize = 1_000;

#[async_trait]
impl SealSecrets for Services {
    async fn seal(
        &self,
        subscription: &SubscriptionId,
        secret: &SigningSecret,
    ) -> Result<String, PortError> {
        let answer = self
            .keys()
            .encrypt()
            .key_id(self.subscriptions_key()?)
            .plaintext(Blob::new(secret.reveal()))
            .encryption_context(CONTEXT, subscription.as_str())
            .send()
            .await
            .map_err(|error| failed(SERVICE, &error))?;
        let sealed = answer.ciphertext_blob().map(AsRef::as_ref);
        let sealed: &[u8] = sealed.ok_or_else(|| unavailable(SERVICE, "no ciphertext"))?;
        Ok(STANDARD.encode(sealed))
    }
}

#[async_trait]
impl OpenSecrets for Services {
    async fn open(
        &self,
        subscription: &SubscriptionId,
        secret: &SealedSecret,
    ) -> Result<SigningSecret, PortError> {
        let ciphertext = &secret.ciphertext;
        if let Some(known) = self.opened.find(subscription, ciphertext) {
            return Ok(known);
        }
        let opened = self.decrypt(subscription, ciphertext).await?;
        self.opened.keep(subscription, ciphertext, &opened);
        Ok(opened)
    }
}

impl Services {
    async fn decrypt(
        &self,
        subscription: &SubscriptionId,
        ciphertext: &str,
    ) -> Result<SigningSecret, PortError> {
        let sealed = STANDARD.decode(ciphertext).map_err(|_| junk())?;
        let answer = self
            .keys()
            .decrypt()
            .key_id(self.subscriptions_key()?)
            .ciphertext_blob(Blob::new(sealed))
            .encryption_context(CONTEXT, subscription.as_str())
            .send()
            .await
            .map_err(|error| failed(SERVICE, &error))?;
        let opened = answer.plaintext().map(AsRef::as_ref).unwrap_or_default();
        let opened = std::str::from_utf8(opened).map_err(|_| junk())?;
        SigningSecret::parse(opened).map_err(|_| junk())
    }
}

fn junk() -> PortError {
    unavailable(SERVICE, "a stored secret is none")
}

/// Secrets that this process has opened, by subscription and ciphertext. Prints as `***`.
#[derive(Default)]
pub(crate) struct Opened(Mutex<HashMap<(SubscriptionId, String), SigningSecret>>);

impl Opened {
    fn find(&self, subscription: &SubscriptionId, ciphertext: &str) -> Option<SigningSecret> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let name = (subscription.clone(), ciphertext.to_owned());
        known.get(&name).cloned()
    }

    /// Keeps a secret; all others are forgotten when there are too many.
    fn keep(&self, subscription: &SubscriptionId, ciphertext: &str, secret: &SigningSecret) {
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
