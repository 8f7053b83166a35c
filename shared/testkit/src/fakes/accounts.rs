//! Accounts, keys, the gate and usage.

use async_trait::async_trait;
use domain::account::{Account, Admission, Caller, StoredKey};
use domain::burst::Burst;
use domain::id::AccountId;
use domain::key::{KeyId, SecretHash};
use domain::plan::Plan;
use domain::ports::{AdmitKeys, ManageAccounts, PortError, ReadUsage};
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
    }
}

#[async_trait]
impl ReadUsage for Fakes {
    async fn used(&self, account: &AccountId, period: Period) -> Result<Used, PortError> {
        self.call(Call::Used, |state| Ok(state.used(account, period)))
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
    }

    async fn account(&self, id: &AccountId) -> Result<Option<Account>, PortError> {
        self.call(Call::Manage, |state| Ok(state.accounts.get(id).cloned()))
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
    }

    async fn create_key(&self, key: &StoredKey) -> Result<(), PortError> {
        self.call(Call::Manage, |state| {
            let plan = state
                .accounts
                .get(&key.account_id)
                .map(|account| account.plan);
            if plan != Some(key.plan) || state.keys.contains_key(&key.id) {
                return Err(unavailable("no such account, or the key exists already"));
            }
            state.keys.insert(key.id.clone(), key.clone());
            Ok(())
        })
    }

    async fn keys(&self, account: &AccountId) -> Result<Vec<StoredKey>, PortError> {
        self.call(Call::Manage, |state| {
            let keys = state.keys.values();
            Ok(keys
                .filter(|key| key.account_id == *account)
                .cloned()
                .collect())
        })
    }

    async fn revoke_key(&self, key: &KeyId, now: Timestamp) -> Result<bool, PortError> {
        self.call(Call::Manage, |state| {
            let Some(key) = state.keys.get_mut(key) else {
                return Ok(false);
            };
            key.revoked_at.get_or_insert(now);
            Ok(true)
        })
    }
}

impl State {
    fn admit(&mut self, key: &KeyId, secret: &SecretHash, now: Timestamp) -> Admission {
        let right = |key: &&StoredKey| key.secret_hash == *secret && key.revoked_at.is_none();
        let Some(stored) = self.keys.get(key).filter(right) else {
            return Admission::Refused;
        };
        let limit = stored.plan.limits().burst;
        let used = self.bursts.entry((key.clone(), now.seconds())).or_default();
        if *used >= limit {
            return Admission::TooFast(Burst::after(limit, *used));
        }
        *used += 1;
        Admission::Admitted {
            caller: Caller {
                account_id: stored.account_id.clone(),
                key_id: stored.id.clone(),
                plan: stored.plan,
                scopes: stored.scopes.clone(),
            },
            burst: Burst::after(limit, *used),
        }
    }
}
