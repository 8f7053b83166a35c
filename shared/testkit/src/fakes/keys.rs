//! API keys.

use async_trait::async_trait;
use domain::account::StoredKey;
use domain::id::AccountId;
use domain::key::KeyId;
use domain::ports::{KeyCreation, Keys, PortError};
use domain::timestamp::Timestamp;

use super::state::State;
use super::{Call, Fakes, unavailable};

#[async_trait]
impl Keys for Fakes {
    async fn create_key(&self, key: &StoredKey) -> Result<KeyCreation, PortError> {
        self.call(Call::Manage, |state| state.create_key(key)).await
    }

    async fn keys(&self, account: &AccountId) -> Result<Vec<StoredKey>, PortError> {
        self.call(Call::Manage, |state| {
            Ok(state.keys_of(account).cloned().collect())
        })
        .await
    }

    async fn revoke_key(
        &self,
        key: &KeyId,
        owner: Option<&AccountId>,
        now: Timestamp,
    ) -> Result<bool, PortError> {
        self.call(Call::Manage, |state| {
            let owned = |key: &&mut StoredKey| owner.is_none_or(|owner| key.account_id == *owner);
            let Some(key) = state.keys.get_mut(key).filter(owned) else {
                return Ok(false);
            };
            key.revoked_at.get_or_insert(now);
            Ok(true)
        })
        .await
    }
}

impl State {
    fn keys_of(&self, account: &AccountId) -> impl Iterator<Item = &StoredKey> {
        let keys = self.keys.values();
        keys.filter(move |key| key.account_id == *account)
    }

    fn create_key(&mut self, key: &StoredKey) -> Result<KeyCreation, PortError> {
        if self.keys.contains_key(&key.id) {
            return Err(unavailable("the key exists already"));
        }
        let account = self.accounts.get(&key.account_id);
        let closed = self.closed.contains_key(&key.account_id);
        if closed || account.is_none_or(|account| account.plan != key.plan) {
            return Ok(KeyCreation::AccountChanged);
        }
        let keys = self.keys_of(&key.account_id);
        let live = keys.filter(|key| key.revoked_at.is_none()).count();
        if live >= key.plan.limits().keys as usize {
            return Ok(KeyCreation::LimitReached);
        }
        self.keys.insert(key.id.clone(), key.clone());
        Ok(KeyCreation::Created)
    }
}
