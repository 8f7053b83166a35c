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
    /// Creates an API key and prints it. It cannot be shown again.
    Create {
        /// Account of the key.
        #[arg(long)]
        account: AccountId,
        /// Scopes, separated by commas. Default: all.
        #[arg(long, value_delimiter = ',')]
        scopes: Option<Vec<Scope>>,
        /// Name of the key.
        #[arg(long, value_parser = read_name)]
        name: Option<String>,
    },
    /// Revokes an API key immediately.
    Revoke {
        /// Key id: the part of the key between the underscores.
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
    let unknown = || AdminError::NotFound(format!("account {account}"));
    let account = services.account(account).await?.ok_or_else(unknown)?;
    let pepper = stack.pepper(&services).await?;
    let key = ApiKey::mint(&random_bytes());
    let stored = StoredKey {
        id: key.id().clone(),
        secret_hash: key.hash(&pepper),
        account_id: account.id,
        plan: account.plan,
        locale: account.locale,
        scopes: scopes.unwrap_or_else(|| Scope::ALL.to_vec()),
        name,
        created_at: now,
        revoked_at: None,
    };
    match services.create_key(&stored).await? {
        KeyCreation::Created => Ok(json!({"keyId": stored.id, "key": key.reveal()})),
        rejected => Err(AdminError::Rejected(rejection(rejected, &stored))),
    }
}

async fn revoke(stack: &Stack, id: &KeyId, now: Timestamp) -> Result<Value, AdminError> {
    if stack.services().await.revoke_key(id, None, now).await? {
        Ok(json!({"keyId": id, "revoked": true}))
    } else {
        Err(AdminError::NotFound(format!("key {id}")))
    }
}

fn rejection(rejected: KeyCreation, key: &StoredKey) -> String {
    let (account, plan) = (&key.account_id, key.plan);
    match rejected {
        KeyCreation::LimitReached => format!(
            "{account} has {} keys, the maximum of the {plan} plan; revoke one first",
            plan.limits().keys
        ),
        _ => {
            format!("{account} was deleted, or its plan {plan} was changed concurrently; try again")
        }
    }
}

/// Returns 48 random bytes below 248, the largest multiple of 62, so that the base62 characters are uniformly distributed.
pub(crate) fn random_bytes() -> [u8; 48] {
    std::array::from_fn(|_| rand::random_range(0..248))
}

fn read_key_id(text: &str) -> Result<KeyId, String> {
    KeyId::parse(text).ok_or_else(|| "not a key id: expected 16 letters and digits".to_owned())
}

fn read_name(text: &str) -> Result<String, String> {
    let name = || text.to_owned();
    let form =
        || "not a valid name: expected 1 to 100 characters without control characters".to_owned();
    key::is_valid_name(text).then(name).ok_or_else(form)
}
