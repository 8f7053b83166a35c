//! Fake encryption of secrets: the ciphertext has the subscription's identifier, so that tests can check the binding.

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::ports::{PortError, Secrets};
use domain::subscription::{SealedSecret, SigningSecret, SubscriptionId};

use super::{Call, Fakes, unavailable};

#[async_trait]
impl Secrets for Fakes {
    async fn seal(
        &self,
        subscription: &SubscriptionId,
        secret: &SigningSecret,
    ) -> Result<String, PortError> {
        self.call(Call::Seal, |_| {
            Ok(STANDARD.encode(format!("{subscription} {}", secret.reveal())))
        })
        .await
    }

    async fn open(
        &self,
        subscription: &SubscriptionId,
        secret: &SealedSecret,
    ) -> Result<SigningSecret, PortError> {
        self.call(Call::Open, |_| {
            opened(subscription, &secret.ciphertext)
                .ok_or_else(|| unavailable("not a secret of this subscription"))
        })
        .await
    }
}

fn opened(subscription: &SubscriptionId, ciphertext: &str) -> Option<SigningSecret> {
    let sealed = String::from_utf8(STANDARD.decode(ciphertext).ok()?).ok()?;
    let (owner, secret) = sealed.split_once(' ')?;
    (owner == subscription.as_str()).then_some(())?;
    SigningSecret::parse(secret).ok()
}
