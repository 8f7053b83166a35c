//! Authentication and rate limiting.

use async_trait::async_trait;
use domain::account::{Account, Admission, Caller, Credential, Identity, StoredKey};
use domain::burst::Burst;
use domain::id::AccountId;
use domain::key::{KeyId, SecretHash};
use domain::plan::Plan;
use domain::ports::{Callers, PortError};
use domain::scope::Scope;
use domain::timestamp::Timestamp;
use serde_json::{Value, json};

use super::state::State;
use super::{Call, Fakes, unavailable};

#[async_trait]
impl Callers for Fakes {
    async fn admit(
        &self,
        key: &KeyId,
        secret: &SecretHash,
        now: Timestamp,
    ) -> Result<Admission, PortError> {
        self.call(Call::Admit, |state| Ok(state.admit(key, secret, now)))
            .await
    }

    async fn admit_identity(
        &self,
        identity: &Identity,
        new_account: &AccountId,
        now: Timestamp,
    ) -> Result<Admission, PortError> {
        self.call(Call::Admit, |state| {
            let fingerprint = identity.fingerprint();
            if !state.identities.contains_key(&fingerprint) {
                state.sign_up(identity, new_account, now);
            }
            let caller = state
                .caller(&fingerprint)
                .ok_or_else(|| unavailable("no account"))?;
            Ok(state.admit_to(&fingerprint, caller, now))
        })
        .await
    }

    async fn signing_keys(&self, _: &str) -> Result<Value, PortError> {
        self.call(Call::Admit, |_| Ok(json!({"keys": []}))).await
    }
}

impl State {
    fn admit(&mut self, key: &KeyId, secret: &SecretHash, now: Timestamp) -> Admission {
        let right = |key: &&StoredKey| key.secret_hash == *secret && key.revoked_at.is_none();
        let Some(stored) = self.keys.get(key).filter(right) else {
            return Admission::InvalidCredential;
        };
        let caller = Caller {
            account_id: stored.account_id.clone(),
            credential: Credential::Key(stored.id.clone()),
            plan: stored.plan,
            locale: stored.locale,
            scopes: stored.scopes.clone(),
        };
        self.admit_to(key.as_str(), caller, now)
    }

    /// Admits `caller` unless its credential has reached the limit of this second.
    fn admit_to(&mut self, credential: &str, caller: Caller, now: Timestamp) -> Admission {
        let limit = caller.plan.limits().burst;
        let second = (credential.to_owned(), now.seconds());
        let used = self.bursts.entry(second).or_default();
        if *used >= limit {
            return Admission::RateLimited(Burst::after(limit, *used));
        }
        *used += 1;
        let burst = Burst::after(limit, *used);
        Admission::Admitted { caller, burst }
    }

    fn sign_up(&mut self, identity: &Identity, id: &AccountId, now: Timestamp) {
        let account = Account {
            id: id.clone(),
            plan: Plan::Free,
            email: identity.email.clone(),
            locale: None,
            created_at: now,
        };
        self.accounts.insert(id.clone(), account);
        self.identities.insert(identity.fingerprint(), id.clone());
    }

    fn caller(&self, identity: &str) -> Option<Caller> {
        let account = self.accounts.get(self.identities.get(identity)?)?;
        Some(Caller {
            account_id: account.id.clone(),
            credential: Credential::Token,
            plan: account.plan,
            locale: account.locale,
            scopes: Scope::ALL.to_vec(),
        })
    }
}
