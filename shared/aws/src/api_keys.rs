//! API keys: created and revoked in one transaction with the account's count of active keys.

use async_trait::async_trait;
use aws_sdk_dynamodb::types::Update;
use domain::account::{Account, StoredKey};
use domain::id::AccountId;
use domain::key::KeyId;
use domain::ports::{KeyCreation, Keys, PortError};
use domain::timestamp::Timestamp;

use crate::error::{Failure, unavailable};
use crate::item::{self, Item, Key, SERVICE, number, text};
use crate::keys;
use crate::retry::RetryBudget;
use crate::services::Services;
use crate::table::{EXISTS, condition_met, new_item};
use crate::transaction::{Committed, Transaction, WriteRole, incomplete, new_write};

/// Account attribute: number of active keys.
const LIVE_KEYS: &str = "liveKeys";
const REVOKED: &str = "revokedAt";
/// Account attribute: when erasure of the account started.
pub(crate) const CLOSED: &str = "closedAt";

#[async_trait]
impl Keys for Services {
    async fn create_key(&self, key: &StoredKey) -> Result<KeyCreation, PortError> {
        let (all, write) = (self.creation(key)?, new_write());
        let mut retries = RetryBudget::new();
        loop {
            match self.commit(&all, &write).await {
                Ok(Committed::Yes) => return Ok(KeyCreation::Created),
                Ok(Committed::No(roles)) if roles.contains(&WriteRole::Key) => {
                    return Err(unavailable(SERVICE, "the key exists already"));
                }
                Ok(Committed::No(_)) => return self.key_rejection(key).await,
                Err(Failure::Busy) => retries.wait().await?,
                Err(Failure::Unknown(error)) => {
                    let stored = self.stored_key(&key.id).await?;
                    return stored.map(|_| KeyCreation::Created).ok_or(error);
                }
                Err(Failure::Rejected(error)) => return Err(error),
            }
        }
    }

    async fn keys(&self, account: &AccountId) -> Result<Vec<StoredKey>, PortError> {
        let ids = self.key_ids(account).await?;
        let wanted: Vec<Key> = ids.iter().map(keys::api_key).collect();
        let found = self.read_all(self.accounts_table()?, &wanted).await?;
        found.into_iter().map(item::read).collect()
    }

    async fn revoke_key(
        &self,
        key: &KeyId,
        owner: Option<&AccountId>,
        now: Timestamp,
    ) -> Result<bool, PortError> {
        let Some(stored) = self.stored_key(key).await? else {
            return Ok(false);
        };
        let account = account_of(&stored)?;
        if owner.is_some_and(|owner| *owner != account) {
            return Ok(false);
        }
        if stored.contains_key(REVOKED) {
            return Ok(true);
        }
        self.revoke(key, &account, now).await
    }
}

impl Services {
    /// The identifiers of all keys of an account.
    pub(crate) async fn key_ids(&self, account: &AccountId) -> Result<Vec<KeyId>, PortError> {
        let rows = self.rows_of_account(account, keys::POINTERS).await?;
        let pointed_to = |row: &Item| {
            keys::pointed_to(row).ok_or_else(|| item::unreadable(item::key_of(row).as_ref()))
        };
        rows.iter().map(pointed_to).collect()
    }

    async fn stored_key(&self, key: &KeyId) -> Result<Option<Item>, PortError> {
        self.read(self.accounts_table()?, &keys::api_key(key)).await
    }

    /// Returns why the account accepts no further key.
    async fn key_rejection(&self, key: &StoredKey) -> Result<KeyCreation, PortError> {
        let account = keys::account(&key.account_id);
        let account = self.read(self.accounts_table()?, &account).await?;
        let open = account.filter(|account| !account.contains_key(CLOSED));
        let account: Option<Account> = open.map(item::read).transpose()?;
        Ok(match account {
            Some(account) if account.plan == key.plan => KeyCreation::LimitReached,
            _ => KeyCreation::AccountChanged,
        })
    }

    async fn revoke(
        &self,
        key: &KeyId,
        account: &AccountId,
        now: Timestamp,
    ) -> Result<bool, PortError> {
        let (all, write) = (self.revocation(key, account, now)?, new_write());
        let mut retries = RetryBudget::new();
        loop {
            match self.commit(&all, &write).await {
                Ok(Committed::Yes) => return Ok(true),
                // A concurrent call has revoked the key.
                Ok(Committed::No(roles)) if roles.contains(&WriteRole::Key) => return Ok(true),
                // A missing account or count must not keep a key active.
                Ok(Committed::No(_)) => return self.revoke_without_count(key, now).await,
                Err(Failure::Busy) => retries.wait().await?,
                Err(Failure::Unknown(error)) => {
                    let stored = self.stored_key(key).await?;
                    let revoked = stored.is_some_and(|key| key.contains_key(REVOKED));
                    return revoked.then_some(true).ok_or(error);
                }
                Err(Failure::Rejected(error)) => return Err(error),
            }
        }
    }

    pub(crate) async fn revoke_without_count(
        &self,
        key: &KeyId,
        now: Timestamp,
    ) -> Result<bool, PortError> {
        let update = self
            .tables()
            .update_item()
            .table_name(self.accounts_table()?)
            .set_key(Some(keys::api_key(key).attributes()))
            .update_expression("SET revokedAt = if_not_exists(revokedAt, :now)")
            .condition_expression(EXISTS)
            .expression_attribute_values(":now", number(now.milliseconds()));
        condition_met(update.send().await).map_err(Failure::into_error)
    }

    fn creation(&self, key: &StoredKey) -> Result<Transaction, PortError> {
        let (table, limits) = (self.accounts_table()?, key.plan.limits());
        let mut stored = item::write(&keys::api_key(&key.id), key)?;
        stored.insert("burstLimit".to_owned(), number(limits.burst));
        let pointer = item::new(&keys::pointer(&key.account_id, &key.id), []);
        let increment_count = Update::builder()
            .table_name(table)
            .set_key(Some(keys::account(&key.account_id).attributes()))
            .update_expression("ADD #live :one")
            .condition_expression(
                "#plan = :plan AND attribute_not_exists(#closed) \
                 AND (attribute_not_exists(#live) OR #live < :most)",
            )
            .expression_attribute_names("#closed", CLOSED)
            .expression_attribute_names("#plan", "plan")
            .expression_attribute_names("#live", LIVE_KEYS)
            .expression_attribute_values(":plan", text(key.plan.name()))
            .expression_attribute_values(":one", number(1))
            .expression_attribute_values(":most", number(limits.keys))
            .build()
            .map_err(|error| incomplete(&error))?;
        let mut all = Transaction::default();
        all.update(WriteRole::Account, increment_count);
        all.put(WriteRole::Key, new_item(table, stored)?);
        all.put(WriteRole::Key, new_item(table, pointer)?);
        Ok(all)
    }

    fn revocation(
        &self,
        key: &KeyId,
        account: &AccountId,
        now: Timestamp,
    ) -> Result<Transaction, PortError> {
        let table = self.accounts_table()?;
        let revoked = Update::builder()
            .table_name(table)
            .set_key(Some(keys::api_key(key).attributes()))
            .update_expression("SET #revoked = :now")
            .condition_expression("attribute_exists(pk) AND attribute_not_exists(#revoked)")
            .expression_attribute_names("#revoked", REVOKED)
            .expression_attribute_values(":now", number(now.milliseconds()))
            .build()
            .map_err(|error| incomplete(&error))?;
        let decrement_count = Update::builder()
            .table_name(table)
            .set_key(Some(keys::account(account).attributes()))
            .update_expression("ADD #live :less")
            .condition_expression("#live > :none")
            .expression_attribute_names("#live", LIVE_KEYS)
            .expression_attribute_values(":less", number(-1))
            .expression_attribute_values(":none", number(0))
            .build()
            .map_err(|error| incomplete(&error))?;
        let mut all = Transaction::default();
        all.update(WriteRole::Key, revoked);
        all.update(WriteRole::Account, decrement_count);
        Ok(all)
    }
}

/// The account of a key. Revocation reads only this attribute, so that a key that is unreadable otherwise can be revoked, too.
fn account_of(stored: &Item) -> Result<AccountId, PortError> {
    item::read_text(stored, "accountId")
        .and_then(|id| id.parse().ok())
        .ok_or_else(|| item::unreadable(item::key_of(stored).as_ref()))
}
