//! API keys.

use async_trait::async_trait;

use super::PortError;
use crate::account::StoredKey;
use crate::id::AccountId;
use crate::key::KeyId;
use crate::timestamp::Timestamp;

/// The outcome of creating a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyCreation {
    /// The key is stored and active.
    Created,
    /// The account has the maximum number of active keys of its plan.
    LimitReached,
    /// The account does not exist, or has another plan than the key.
    AccountChanged,
}

/// API keys of accounts.
#[async_trait]
pub trait Keys: Send + Sync {
    /// Stores a new key unless its account has the maximum number of active keys of its plan. Concurrent calls never exceed
    /// the maximum.
    async fn create_key(&self, key: &StoredKey) -> Result<KeyCreation, PortError>;
    /// Returns the keys of an account, including revoked ones.
    async fn keys(&self, account: &AccountId) -> Result<Vec<StoredKey>, PortError>;
    /// Revokes a key; `false` if it does not exist. With an `owner`, only keys of that account are found. A revoked key keeps
    /// the time of its revocation.
    async fn revoke_key(
        &self,
        key: &KeyId,
        owner: Option<&AccountId>,
        now: Timestamp,
    ) -> Result<bool, PortError>;
}
