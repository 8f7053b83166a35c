//! Accounts, keys, the gate and usage.

use async_trait::async_trait;
use domain::account::{Account, Admission, Caller, Credential, Identity, StoredKey};
use domain::burst::Burst;
use domain::id::AccountId;
use domain::key::{KeyId, SecretHash};
use domain::plan::Plan;
use domain::ports::subscriptions::ReadPlans;
use domain::ports::{AdmitKeys, KeyCreation, ManageAccounts, ManageKeys, PortError, ReadUsage};
use domain::timestamp::{Period, Timestamp};
use domain::usage::Used;

use super::state::State;
use super::{Call, Fakes, unavailable};

#[async_trait]
impl AdmitKeys for Fakes {
    async fn admit(
        &self,
        key: &KeyId,
        secret: &SecretHash,
        now: Timestamp,
    ) -> Result<Admission, PortError> {
        self.call(Call::Admit, |state| Ok(state.admit(key, secret, now)))
            .await
    }
}

#[async_trait]
impl ReadUsage for Fakes {
    async fn used(&self, account: &AccountId, period: Period) -> Result<Used, PortError> {
        self.call(Call::Used, |state| Ok(state.used(account, period)))
            .await
    }
}

#[async_trait]
impl ReadPlans for Fakes {
    async fn plan(&self, account: &AccountId) -> Result<Option<Plan>, PortError> {
        self.call(Call::Plan, |state| {
            Ok(state.accounts.get(account).map(|account| account.plan))
        })
        .await
    }
}

#[async_trait]
impl ManageAccounts for Fakes {
    async fn create_account(&self, account: &Account) -> Result<(), PortError> {
        self.call(Call::Manage, |state| {
            if state.accounts.contains_key(&account.id) {
                return Err(unavailable("the account exists already"));
            }
            state.accounts.insert(account.id.clone(), account.clone());
            Ok(())
        })
        .await
    }

    async fn account(&self, id: &AccountId) -> Result<Option<Account>, PortError> {
        self.call(Call::Manage, |state| Ok(state.accounts.get(id).cloned()))
            .await
    }

    async fn set_plan(&self, id: &AccountId, plan: Plan) -> Result<bool, PortError> {
        self.call(Call::Manage, |state| {
            let Some(account) = state.accounts.get_mut(id) else {
                return Ok(false);
            };
            account.plan = plan;
            let keys = state.keys.values_mut();
            keys.filter(|key| key.account_id == *id)
                .for_each(|key| key.plan = plan);
            Ok(true)
        })
        .await
    }

    async fn link_identity(&self, id: &AccountId, identity: &Identity) -> Result<bool, PortError> {
        self.call(Call::Manage, |state| {
            let known = state.accounts.contains_key(id);
            if known {
                let identity = identity.fingerprint();
                state.identities.insert(identity, id.clone());
            }
            Ok(known)
        })
        .await
    }

    async fn set_used(
        &self,
        id: &AccountId,
        period: Period,
        today: Option<u32>,
        this_month: Option<u32>,
    ) -> Result<(), PortError> {
        self.call(Call::Manage, |state| {
            for (name, value) in [(period.day(), today), (period.month(), this_month)] {
                if let Some(value) = value {
                    state.counters.insert((id.clone(), name), i64::from(value));
                }
            }
            Ok(())
        })
        .await
    }
}

#[async_trait]
impl ManageKeys for Fakes {
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

    fn admit(&mut self, key: &KeyId, secret: &SecretHash, now: Timestamp) -> Admission {
        let right = |key: &&StoredKey| key.secret_hash == *secret && key.revoked_at.is_none();
        let Some(stored) = self.keys.get(key).filter(right) else {
            return Admission::Refused;
        };
        let caller = Caller {
            account_id: stored.account_id.clone(),
            credential: Credential::Key(stored.id.clone()),
            plan: stored.plan,
            scopes: stored.scopes.clone(),
        };
        self.admit_to(key.as_str(), caller, now)
    }

    /// Admits `caller` if its credential has room in this second.
    pub(super) fn admit_to(
        &mut self,
        credential: &str,
        caller: Caller,
        now: Timestamp,
    ) -> Admission {
        let limit = caller.plan.limits().burst;
        let second = (credential.to_owned(), now.seconds());
        let used = self.bursts.entry(second).or_default();
        if *used >= limit {
            return Admission::TooFast(Burst::after(limit, *used));
        }
        *used += 1;
        let burst = Burst::after(limit, *used);
        Admission::Admitted { caller, burst }
    }
}
