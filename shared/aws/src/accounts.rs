//! Accounts and their keys, for the operator.

use async_trait::async_trait;
use aws_sdk_dynamodb::types::ConditionCheck;
use domain::account::{Account, StoredKey};
use domain::id::AccountId;
use domain::key::KeyId;
use domain::plan::Plan;
use domain::ports::{ManageAccounts, PortError};
use domain::timestamp::{Period, Timestamp};

use crate::error::{Failure, failed, unavailable};
use crate::item::{self, SERVICE, number, text};
use crate::keys::{self, Key};
use crate::services::Services;
use crate::table::{KNOWN, NEW, held, new_item};
use crate::transaction::{Committed, Part, Transaction, incomplete, new_write};

#[async_trait]
impl ManageAccounts for Services {
    async fn create_account(&self, account: &Account) -> Result<(), PortError> {
        self.tables()
            .put_item()
            .table_name(self.accounts_table()?)
            .set_item(Some(item::write(&keys::account(&account.id), account)?))
            .condition_expression(NEW)
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

    async fn set_plan(&self, id: &AccountId, plan: Plan) -> Result<bool, PortError> {
        // The account first: a key created in between checks its plan against the account's.
        if !self.change_plan(&keys::account(id), plan).await? {
            return Ok(false);
        }
        for key in self.key_ids(id).await? {
            self.change_plan(&keys::api_key(&key), plan).await?;
        }
        Ok(true)
    }

    async fn set_used(
        &self,
        id: &AccountId,
        period: Period,
        today: Option<u32>,
        this_month: Option<u32>,
    ) -> Result<(), PortError> {
        let mut update = self
            .tables()
            .update_item()
            .table_name(self.accounts_table()?)
            .set_key(Some(keys::usage(id, period).attributes()))
            .expression_attribute_values(":version", number(item::RECORD_VERSION));
        let mut changes = vec!["recordVersion = :version".to_owned()];
        let day = crate::usage::day_attribute(period);
        for (name, value) in [(crate::usage::MONTH, this_month), (day.as_str(), today)] {
            if let Some(value) = value {
                changes.push(format!("#{name} = :{name}"));
                update = update
                    .expression_attribute_names(format!("#{name}"), name)
                    .expression_attribute_values(format!(":{name}"), number(value));
            }
        }
        update
            .update_expression(format!("SET {}", changes.join(", ")))
            .send()
            .await
            .map_err(|error| failed(SERVICE, &error))?;
        Ok(())
    }

    async fn create_key(&self, key: &StoredKey) -> Result<(), PortError> {
        let committed = self
            .commit(&self.new_key(key)?, &new_write())
            .await
            .map_err(Failure::into_error)?;
        match committed {
            Committed::Yes => Ok(()),
            Committed::No(parts) if parts.contains(&Part::Account) => {
                let reason = "the account is gone or has changed its plan meanwhile";
                Err(unavailable(SERVICE, reason))
            }
            Committed::No(_) => Err(unavailable(SERVICE, "the key exists already")),
        }
    }

    async fn keys(&self, account: &AccountId) -> Result<Vec<StoredKey>, PortError> {
        let ids = self.key_ids(account).await?;
        let wanted: Vec<Key> = ids.iter().map(keys::api_key).collect();
        let found = self.read_all(self.accounts_table()?, &wanted).await?;
        found.into_iter().map(item::read).collect()
    }

    async fn revoke_key(&self, key: &KeyId, now: Timestamp) -> Result<bool, PortError> {
        let update = self
            .tables()
            .update_item()
            .table_name(self.accounts_table()?)
            .set_key(Some(keys::api_key(key).attributes()))
            .update_expression("SET revokedAt = if_not_exists(revokedAt, :now)")
            .condition_expression(KNOWN)
            .expression_attribute_values(":now", number(now.milliseconds()));
        held(update.send().await).map_err(Failure::into_error)
    }
}

impl Services {
    fn new_key(&self, key: &StoredKey) -> Result<Transaction, PortError> {
        let table = self.accounts_table()?;
        let mut stored = item::write(&keys::api_key(&key.id), key)?;
        stored.insert("burstLimit".to_owned(), number(key.plan.limits().burst));
        let pointer = item::new(&keys::pointer(&key.account_id, &key.id), []);
        let account = ConditionCheck::builder()
            .table_name(table)
            .set_key(Some(keys::account(&key.account_id).attributes()))
            .condition_expression("#plan = :plan")
            .expression_attribute_names("#plan", "plan")
            .expression_attribute_values(":plan", text(key.plan.name()))
            .build()
            .map_err(|error| incomplete(&error))?;
        let mut transaction = Transaction::default();
        transaction.check(Part::Account, account);
        transaction.put(Part::Key, new_item(table, stored)?);
        transaction.put(Part::Key, new_item(table, pointer)?);
        Ok(transaction)
    }

    async fn change_plan(&self, key: &Key, plan: Plan) -> Result<bool, PortError> {
        let update = self
            .tables()
            .update_item()
            .table_name(self.accounts_table()?)
            .set_key(Some(key.attributes()))
            .update_expression("SET #plan = :plan, burstLimit = :burst")
            .condition_expression(KNOWN)
            .expression_attribute_names("#plan", "plan")
            .expression_attribute_values(":plan", text(plan.name()))
            .expression_attribute_values(":burst", number(plan.limits().burst));
        held(update.send().await).map_err(Failure::into_error)
    }

    async fn key_ids(&self, account: &AccountId) -> Result<Vec<KeyId>, PortError> {
        let mut pages = self
            .tables()
            .query()
            .table_name(self.accounts_table()?)
            .consistent_read(true)
            .key_condition_expression("pk = :account AND begins_with(sk, :pointers)")
            .expression_attribute_values(":account", text(keys::account(account).partition()))
            .expression_attribute_values(":pointers", text(keys::POINTERS))
            .into_paginator()
            .items()
            .send();
        let mut ids = Vec::new();
        while let Some(pointer) = pages.next().await {
            let pointer = pointer.map_err(|error| failed(SERVICE, &error))?;
            let id = keys::pointed_to(&pointer);
            ids.push(id.ok_or_else(|| item::unreadable(keys::of(&pointer).as_ref()))?);
        }
        Ok(ids)
    }
}
