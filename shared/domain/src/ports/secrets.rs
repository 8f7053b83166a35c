//! Signing secrets.

use async_trait::async_trait;

use super::PortError;
use crate::subscription::{SealedSecret, SigningSecret, SubscriptionId};

/// Encryption of signing secrets, each bound to its subscription.
#[async_trait]
pub trait Secrets: Send + Sync {
    /// Encrypts a secret and returns the ciphertext in base64.
    async fn seal(
        &self,
        subscription: &SubscriptionId,
        secret: &SigningSecret,
    ) -> Result<String, PortError>;
    /// Decrypts a secret. Fails if it was encrypted for another subscription.
    async fn open(
        &self,
        subscription: &SubscriptionId,
        secret: &SealedSecret,
    ) -> Result<SigningSecret, PortError>;
}
