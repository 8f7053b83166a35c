//! Accounts, with their plans and identities.

use async_trait::async_trait;
use domain::account::{Account, Identity};
use domain::id::AccountId;
use domain::operation::Locale;
use domain::plan::Plan;
use domain::ports::{Accounts, PortError};

use crate::error::{Failure, failed};
use crate::item::{self, Key, SERVICE, number, text};
use crate::keys;
use crate::services::Services;
use crate::table::{EXISTS, NOT_EXISTS, condition_met};

#[async_trait]
impl Accounts for Services {
    async fn create_account(&self, account: &Account) -> Result<(), PortError> {
        self.tables()
            .put_item()
            .table_name(self.accounts_table()?)
            .set_item(Some(item::write(&keys::account(&account.id), account)?))
            .condition_expression(NOT_EXISTS)
            .send()
            .await
            .map_err(|error| failed(SERVICE, &error))?;
        Ok(())
    }

    async fn account(&self, id: &AccountId) -> Result<Option<Account>, PortError> {
        let key = keys::account(id);
        let found = self.read(self.accounts_table()?, &key).await?;
        found.map(item::read).transpose()
    }

    async fn plan(&self, account: &AccountId) -> Result<Option<Plan>, PortError> {
        let found = self.account(account).await?;
        Ok(found.map(|account| account.plan))
    }

    async fn set_plan(&self, id: &AccountId, plan: Plan) -> Result<bool, PortError> {
        self.change_all(id, &Change::Plan(plan)).await
    }

    async fn set_locale(&self, id: &AccountId, locale: Option<Locale>) -> Result<bool, PortError> {
        self.change_all(id, &Change::Locale(locale)).await
    }

    async fn link_identity(&self, id: &AccountId, identity: &Identity) -> Result<bool, PortError> {
        let Some(account) = self.account(id).await? else {
            return Ok(false);
        };
        self.link(identity, &account).await.map(|()| true)
    }
}

/// A change of an account that its keys and identities repeat.
enum Change {
    Plan(Plan),
    Locale(Option<Locale>),
}

impl Services {
    /// Changes an account, its keys and its identities; `false` if the account does not exist.
    async fn change_all(&self, id: &AccountId, change: &Change) -> Result<bool, PortError> {
        // The account first: a key created concurrently checks its plan against the account's.
        if !self.change(&keys::account(id), change).await? {
            return Ok(false);
        }
        for key in self.key_ids(id).await? {
            self.change(&keys::api_key(&key), change).await?;
        }
        for identity in self.identities(id).await? {
            self.change(&identity, change).await?;
        }
        Ok(true)
    }

    async fn change(&self, key: &Key, change: &Change) -> Result<bool, PortError> {
        let update = self
            .tables()
            .update_item()
            .table_name(self.accounts_table()?)
            .set_key(Some(key.attributes()))
            .condition_expression(EXISTS);
        let update = match change {
            Change::Plan(plan) => update
                .update_expression("SET #plan = :plan, burstLimit = :burst")
                .expression_attribute_names("#plan", "plan")
                .expression_attribute_values(":plan", text(plan.name()))
                .expression_attribute_values(":burst", number(plan.limits().burst)),
            Change::Locale(Some(locale)) => update
                .update_expression("SET locale = :locale")
                .expression_attribute_values(":locale", text(locale.tag())),
            Change::Locale(None) => update.update_expression("REMOVE locale"),
        };
        condition_met(update.send().await).map_err(Failure::into_error)
    }
}
