//! Accounts, with their plans and identities.

use async_trait::async_trait;
use domain::account::{Account, Identity};
use domain::id::AccountId;
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
        // The account first: a key created concurrently checks its plan against the account's.
        if !self.change_plan(&keys::account(id), plan).await? {
            return Ok(false);
        }
        for key in self.key_ids(id).await? {
            self.change_plan(&keys::api_key(&key), plan).await?;
        }
        for identity in self.identities(id).await? {
            self.change_plan(&identity, plan).await?;
        }
        Ok(true)
    }

    async fn link_identity(&self, id: &AccountId, identity: &Identity) -> Result<bool, PortError> {
        let Some(account) = self.account(id).await? else {
            return Ok(false);
        };
        self.link(identity, &account).await.map(|()| true)
    }
}

impl Services {
    async fn change_plan(&self, key: &Key, plan: Plan) -> Result<bool, PortError> {
        let update = self
            .tables()
            .update_item()
            .table_name(self.accounts_table()?)
            .set_key(Some(key.attributes()))
            .update_expression("SET #plan = :plan, burstLimit = :burst")
            .condition_expression(EXISTS)
            .expression_attribute_names("#plan", "plan")
            .expression_attribute_values(":plan", text(plan.name()))
            .expression_attribute_values(":burst", number(plan.limits().burst));
        condition_met(update.send().await).map_err(Failure::into_error)
    }
}
