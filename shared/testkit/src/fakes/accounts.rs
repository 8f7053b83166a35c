//! Accounts.

use async_trait::async_trait;
use domain::account::{Account, Identity};
use domain::id::AccountId;
use domain::operation::Locale;
use domain::plan::Plan;
use domain::ports::{Accounts, PortError};

use super::{Call, Fakes, unavailable};

#[async_trait]
impl Accounts for Fakes {
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

    async fn plan(&self, account: &AccountId) -> Result<Option<Plan>, PortError> {
        self.call(Call::Plan, |state| {
            Ok(state.accounts.get(account).map(|account| account.plan))
        })
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

    async fn set_locale(&self, id: &AccountId, locale: Option<Locale>) -> Result<bool, PortError> {
        self.call(Call::Manage, |state| {
            let Some(account) = state.accounts.get_mut(id) else {
                return Ok(false);
            };
            account.locale = locale;
            let keys = state.keys.values_mut();
            keys.filter(|key| key.account_id == *id)
                .for_each(|key| key.locale = locale);
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
}
