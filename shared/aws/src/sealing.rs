//! Signing secrets under the key of subscriptions: each bound to its subscription by the encryption context.

use async_trait::async_trait;
use aws_sdk_kms::primitives::Blob;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::ports::{PortError, Secrets};
use domain::subscription::{SealedSecret, SigningSecret, SubscriptionId};

use crate::error::{failed, unavailable};
use crate::services::Services;

const SERVICE: &str = "kms";
/// The member of the encryption context that names the subscription.
const CONTEXT: &str = "subscription";

#[async_trait]
impl Secrets for Services {
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
