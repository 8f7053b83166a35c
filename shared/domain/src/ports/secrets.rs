//! Signing secrets.

use async_trait::async_trait;

use super::PortError;
use crate::subscription::{SealedSecret, SigningSecret, SubscriptionId};

/// Encrypts and decrypts signing secrets, each bound to its subscription.
#[async_trait]
pub trait Secrets: Send + Sync {
    /// The ciphertext of a secret, in base 64.
    async fn seal(
        &self,
        subscription: &SubscriptionId,
        secret: &SigningSecret,
    ) -> Result<String, PortError>;
    /// The secret in clear. One that was sealed for another subscription is refused.
    async fn open(
        &self,
        subscription: &SubscriptionId,
        secret: &SealedSecret,
    ) -> Result<SigningSecret, PortError>;
}
