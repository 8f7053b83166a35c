//! Whom account tokens stand for.

use async_trait::async_trait;
use domain::account::{Account, Admission, Caller, Credential, Identity};
use domain::id::AccountId;
use domain::plan::Plan;
use domain::ports::{AdmitIdentities, PortError, ReadSigningKeys};
use domain::scope::Scope;
use domain::timestamp::Timestamp;
use serde_json::{Value, json};

use super::state::State;
use super::{Call, Fakes, unavailable};

#[async_trait]
impl AdmitIdentities for Fakes {
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
}

#[async_trait]
impl ReadSigningKeys for Fakes {
    async fn signing_keys(&self, _: &str) -> Result<Value, PortError> {
        self.call(Call::Admit, |_| Ok(json!({"keys": []}))).await
    }
}

impl State {
    fn sign_up(&mut self, identity: &Identity, id: &AccountId, now: Timestamp) {
        let account = Account {
            id: id.clone(),
            plan: Plan::Free,
            email: identity.email.clone(),
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
            scopes: Scope::ALL.to_vec(),
        })
    }
}
