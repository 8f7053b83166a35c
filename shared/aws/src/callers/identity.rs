//! Identities (issuer and subject of an account token). As for API keys, the item of an identity has the account and its plan.

use domain::account::{Account, Admission, Caller, Credential, Identity};
use domain::id::AccountId;
use domain::operation::Locale;
use domain::plan::Plan;
use domain::ports::PortError;
use domain::scope::Scope;
use domain::timestamp::Timestamp;
use serde::{Deserialize, Serialize};

use super::burst::{Counted, burst};
use crate::error::{Failure, unavailable};
use crate::item::{self, Item, Key, SERVICE, number};
use crate::keys;
use crate::retry::RetryBudget;
use crate::services::Services;
use crate::table::{new_item, replacement};
use crate::transaction::{Committed, Transaction, WriteRole, new_write};

/// The stored attributes of an identity.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredIdentity {
    issuer: String,
    subject: String,
    account_id: AccountId,
    plan: Plan,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    locale: Option<Locale>,
}

impl Services {
    /// Admits an existing identity; an unknown one is rejected.
    pub(super) async fn admit_known(
        &self,
        key: &Key,
        now: Timestamp,
    ) -> Result<Admission, PortError> {
        let update = self.count_request(key, now)?;
        match self.counted(key, update, now).await? {
            Counted::Yes(stored) => admitted(stored, now),
            Counted::No(Some(stored)) => Ok(Admission::RateLimited(burst(&stored, now))),
            Counted::No(None) => Ok(Admission::InvalidCredential),
        }
    }

    /// Creates a Free account for an identity, unless a concurrent request has created it.
    pub(super) async fn sign_up(
        &self,
        identity: &Identity,
        id: &AccountId,
        now: Timestamp,
    ) -> Result<(), PortError> {
        let account = Account {
            id: id.clone(),
            plan: Plan::Free,
            email: identity.email.clone(),
            locale: None,
            created_at: now,
        };
        let table = self.accounts_table()?;
        let stored = item::write(&keys::account(id), &account)?;
        let mut all = Transaction::default();
        all.put(WriteRole::Account, new_item(table, stored)?);
        all.put(
            WriteRole::Identity,
            new_item(table, identity_item(identity, &account)?)?,
        );
        all.put(WriteRole::Identity, new_item(table, pointer(identity, id))?);
        self.write_identity(&all, identity, id).await
    }

    /// Links an identity to an existing account, replacing an earlier link.
    pub(crate) async fn link(
        &self,
        identity: &Identity,
        account: &Account,
    ) -> Result<(), PortError> {
        let table = self.accounts_table()?;
        let stored = identity_item(identity, account)?;
        let mut all = Transaction::default();
        all.put(WriteRole::Identity, replacement(table, stored)?);
        all.put(
            WriteRole::Identity,
            replacement(table, pointer(identity, &account.id))?,
        );
        self.write_identity(&all, identity, &account.id).await
    }

    async fn write_identity(
        &self,
        all: &Transaction,
        identity: &Identity,
        account: &AccountId,
    ) -> Result<(), PortError> {
        let write = new_write();
        let mut retries = RetryBudget::new();
        loop {
            match self.commit(all, &write).await {
                Ok(Committed::Yes) => return Ok(()),
                Ok(Committed::No(roles)) if roles.contains(&WriteRole::Identity) => return Ok(()),
                Ok(Committed::No(_)) => {
                    return Err(unavailable(
                        SERVICE,
                        format!("the account {account} exists already"),
                    ));
                }
                Err(Failure::Busy) => retries.wait().await?,
                Err(Failure::Unknown(error)) => {
                    let key = keys::identity(&identity.fingerprint());
                    let stored = self.read(self.accounts_table()?, &key).await?;
                    return stored.map(|_| ()).ok_or(error);
                }
                Err(Failure::Rejected(error)) => return Err(error),
            }
        }
    }

    /// The item keys of all identities of an account.
    pub(crate) async fn identities(&self, account: &AccountId) -> Result<Vec<Key>, PortError> {
        let rows = self.rows_of_account(account, keys::IDENTITIES).await?;
        let pointed_to = |row: &Item| {
            keys::identity_pointed_to(row)
                .ok_or_else(|| item::unreadable(item::key_of(row).as_ref()))
        };
        rows.iter().map(pointed_to).collect()
    }
}

fn identity_item(identity: &Identity, account: &Account) -> Result<Item, PortError> {
    let record = StoredIdentity {
        issuer: identity.issuer.clone(),
        subject: identity.subject.clone(),
        account_id: account.id.clone(),
        plan: account.plan,
        locale: account.locale,
    };
    let mut stored = item::write(&keys::identity(&identity.fingerprint()), &record)?;
    stored.insert("burstLimit".to_owned(), number(account.plan.limits().burst));
    Ok(stored)
}

fn pointer(identity: &Identity, account: &AccountId) -> Item {
    item::new(
        &keys::identity_pointer(account, &identity.fingerprint()),
        [],
    )
}

pub(super) fn admitted(stored: Item, now: Timestamp) -> Result<Admission, PortError> {
    let burst = burst(&stored, now);
    let identity: StoredIdentity = item::read(stored)?;
    Ok(Admission::Admitted {
        burst,
        caller: Caller {
            account_id: identity.account_id,
            credential: Credential::Token,
            plan: identity.plan,
            locale: identity.locale,
            scopes: Scope::ALL.to_vec(),
        },
    })
}
