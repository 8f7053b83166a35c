//! KMS encryption of signing secrets; the encryption context binds each secret to its subscription.

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
        let response = self
            .keys()
            .encrypt()
            .key_id(self.subscriptions_key()?)
            .plaintext(Blob::new(secret.reveal()))
            .encryption_context(CONTEXT, subscription.as_str())
            .send()
            .await
            .map_err(|error| failed(SERVICE, &error))?;
        let sealed = response.ciphertext_blob().map(AsRef::as_ref);
        let sealed: &[u8] = sealed.ok_or_else(|| unavailable(SERVICE, "no ciphertext"))?;
        Ok(STANDARD.encode(sealed))
    }

    async fn open(
        &self,
        subscription: &SubscriptionId,
        secret: &SealedSecret,
    ) -> Result<SigningSecret, PortError> {
        let ciphertext = &secret.ciphertext;
        if let Some(cached) = self.secret_cache.find(subscription, ciphertext) {
            return Ok(cached);
        }
        let decrypted = self.decrypt(subscription, ciphertext).await?;
        self.secret_cache.keep(subscription, ciphertext, &decrypted);
        Ok(decrypted)
    }
}

impl Services {
    async fn decrypt(
        &self,
        subscription: &SubscriptionId,
        ciphertext: &str,
    ) -> Result<SigningSecret, PortError> {
        let sealed = STANDARD.decode(ciphertext).map_err(|_| malformed())?;
        let response = self
            .keys()
            .decrypt()
            .key_id(self.subscriptions_key()?)
            .ciphertext_blob(Blob::new(sealed))
            .encryption_context(CONTEXT, subscription.as_str())
            .send()
            .await
            .map_err(|error| failed(SERVICE, &error))?;
        let plaintext = response.plaintext().map(AsRef::as_ref).unwrap_or_default();
        let plaintext = std::str::from_utf8(plaintext).map_err(|_| malformed())?;
        SigningSecret::parse(plaintext).map_err(|_| malformed())
    }
}

fn malformed() -> PortError {
    unavailable(SERVICE, "a stored secret is malformed")
}
