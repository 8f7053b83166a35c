//! `key create`, `key revoke`.

use clap::Subcommand;
use domain::account::StoredKey;
use domain::id::AccountId;
use domain::key::{self, ApiKey, KeyId};
use domain::ports::{Accounts, KeyCreation, Keys};
use domain::scope::Scope;
use domain::timestamp::Timestamp;
use serde_json::{Value, json};

use crate::error::AdminError;
use crate::stack::Stack;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Creates a key and shows it, once.
    Create {
        /// The account that it acts for.
        #[arg(long)]
        account: AccountId,
        /// What it may do, separated by commas; everything without this.
        #[arg(long, value_delimiter = ',')]
        scopes: Option<Vec<Scope>>,
        /// What its owner calls it.
        #[arg(long, value_parser = read_name)]
        name: Option<String>,
    },
    /// Revokes a key; it stops working at once.
    Revoke {
        /// The part of the key between the underscores.
        #[arg(value_parser = read_key_id)]
        id: KeyId,
    },
}

pub(crate) async fn run(
    stack: &Stack,
    command: Command,
    now: Timestamp,
) -> Result<Value, AdminError> {
    match command {
        Command::Create {
            account,
            scopes,
            name,
        } => create(stack, &account, scopes, name, now).await,
        Command::Revoke { id } => revoke(stack, &id, now).await,
    }
}

async fn create(
    stack: &Stack,
    account: &AccountId,
    scopes: Option<Vec<Scope>>,
    name: Option<String>,
    now: Timestamp,
) -> Result<Value, AdminError> {
    let services = stack.services().await;
    let unknown = || AdminError::Unknown(format!("account {account}"));
    let account = services.account(account).await?.ok_or_else(unknown)?;
    let pepper = stack.pepper(&services).await?;
    let key = ApiKey::mint(&random_bytes());
    let stored = StoredKey {
        id: key.id().clone(),
        secret_hash: key.hash(&pepper),
        account_id: account.id,
        plan: account.plan,
        scopes: scopes.unwrap_or_else(|| Scope::ALL.to_vec()),
        name,
        created_at: now,
        revoked_at: None,
    };
    match services.create_key(&stored).await? {
        KeyCreation::Created => Ok(json!({"keyId": stored.id, "key": key.reveal()})),
        refused => Err(AdminError::Refused(why_not(refused, &stored))),
    }
}

async fn revoke(stack: &Stack, id: &KeyId, now: Timestamp) -> Result<Value, AdminError> {
    if stack.services().await.revoke_key(id, None, now).await? {
        Ok(json!({"keyId": id, "revoked": true}))
    } else {
        Err(AdminError::Unknown(format!("key {id}")))
    }
}

fn why_not(refused: KeyCreation, key: &StoredKey) -> String {
    let (account, plan) = (&key.account_id, key.plan);
    match refused {
        KeyCreation::LimitReached => format!(
            "{account} has {} keys, the most that its plan {plan} allows: revoke one first",
            plan.limits().keys
        ),
        _ => format!("{account} was deleted or left the plan {plan} meanwhile: try again"),
    }
}

/// 48 bytes below 248, the largest multiple of 62: then every character of a key is equally likely.
pub(crate) fn random_bytes() -> [u8; 48] {
    std::array::from_fn(|_| rand::random_range(0..248))
}

fn read_key_id(text: &str) -> Result<KeyId, String> {
    KeyId::parse(text).ok_or_else(|| "not a key identifier: 16 letters and digits".to_owned())
}

fn read_name(text: &str) -> Result<String, String> {
    let name = || text.to_owned();
    let form = || "not a name: 1 to 100 characters, none of them a control character".to_owned();
    key::is_name(text).then(name).ok_or_else(form)
}
