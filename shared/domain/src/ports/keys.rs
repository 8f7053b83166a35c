//! API keys.

use async_trait::async_trait;

use super::PortError;
use crate::account::StoredKey;
use crate::id::AccountId;
use crate::key::KeyId;
use crate::timestamp::Timestamp;

/// What became of a new key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyCreation {
    /// It is stored and works.
    Created,
    /// The account holds as many live keys as its plan allows.
    LimitReached,
    /// There is no such account, or it is on another plan than the key.
    AccountChanged,
}

/// The API keys of accounts.
#[async_trait]
pub trait Keys: Send + Sync {
    /// Stores a new key, unless its account holds as many live ones as the plan allows: of any number of creations at
    /// the same time, exactly as many succeed as there is room for.
    async fn create_key(&self, key: &StoredKey) -> Result<KeyCreation, PortError>;
    /// The keys of an account, revoked ones too.
    async fn keys(&self, account: &AccountId) -> Result<Vec<StoredKey>, PortError>;
    /// Revokes a key, which makes room for another one; `false` when there is no such key. With an `owner` only that
    /// account's keys are found. A key that is revoked already stays so since then.
    async fn revoke_key(
        &self,
        key: &KeyId,
        owner: Option<&AccountId>,
        now: Timestamp,
    ) -> Result<bool, PortError>;
}
