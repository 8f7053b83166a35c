//! `key create`, `key revoke`.

use clap::Subcommand;
use domain::account::{Account, StoredKey};
use domain::id::AccountId;
use domain::key::{ApiKey, KeyId};
use domain::ports::ManageAccounts;
use domain::scope::Scope;
use serde_json::{Value, json};

use crate::clock;
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
        #[arg(long)]
        name: Option<String>,
    },
    /// Revokes a key; it stops working at once.
    Revoke {
        /// The part of the key between the underscores.
        #[arg(value_parser = read_key_id)]
        id: KeyId,
    },
}

pub(crate) async fn run(stack: &Stack, command: Command) -> Result<Value, AdminError> {
    match command {
        Command::Create {
            account,
            scopes,
            name,
        } => create(stack, &account, scopes, name).await,
        Command::Revoke { id } => revoke(stack, &id).await,
    }
}

async fn create(
    stack: &Stack,
    account: &AccountId,
    scopes: Option<Vec<Scope>>,
    name: Option<String>,
) -> Result<Value, AdminError> {
    let services = stack.services().await;
    let unknown = || AdminError::Unknown(format!("account {account}"));
    let account = services.account(account).await?.ok_or_else(unknown)?;
    check_count(&account, &services.keys(&account.id).await?)?;
    let pepper = stack.pepper(&services).await?;
    let key = ApiKey::mint(&random_bytes());
    let stored = StoredKey {
        id: key.id().clone(),
        secret_hash: key.hash(&pepper),
        account_id: account.id,
        plan: account.plan,
        scopes: scopes.unwrap_or_else(|| Scope::ALL.to_vec()),
        name,
        created_at: clock::now(),
        revoked_at: None,
    };
    services.create_key(&stored).await?;
    Ok(json!({"keyId": stored.id, "key": key.reveal()}))
}

async fn revoke(stack: &Stack, id: &KeyId) -> Result<Value, AdminError> {
    if stack.services().await.revoke_key(id, clock::now()).await? {
        Ok(json!({"keyId": id, "revoked": true}))
    } else {
        Err(AdminError::Unknown(format!("key {id}")))
    }
}

fn check_count(account: &Account, keys: &[StoredKey]) -> Result<(), AdminError> {
    let most = account.plan.limits().keys;
    let live = keys.iter().filter(|key| key.revoked_at.is_none()).count();
    if live < most as usize {
        return Ok(());
    }
    Err(AdminError::Refused(format!(
        "{} has {live} keys, the most that its plan {} allows: revoke one first",
        account.id, account.plan
    )))
}

/// 48 bytes below 248, the largest multiple of 62: then every character of a key is equally likely.
fn random_bytes() -> [u8; 48] {
    std::array::from_fn(|_| rand::random_range(0..248))
}

fn read_key_id(text: &str) -> Result<KeyId, String> {
    KeyId::parse(text).ok_or_else(|| "not a key identifier: 16 letters and digits".to_owned())
}
