//! Accounts.

use async_trait::async_trait;

use super::PortError;
use crate::account::{Account, Identity};
use crate::id::AccountId;
use crate::operation::Locale;
use crate::plan::Plan;

/// Accounts with their plans and identities.
#[async_trait]
pub trait Accounts: Send + Sync {
    /// Stores a new account.
    async fn create_account(&self, account: &Account) -> Result<(), PortError>;
    /// Returns an account.
    async fn account(&self, id: &AccountId) -> Result<Option<Account>, PortError>;
    /// Returns the plan of an account; `None` if the account does not exist.
    async fn plan(&self, account: &AccountId) -> Result<Option<Plan>, PortError>;
    /// Changes the plan of an account and all its keys; `false` if the account does not exist.
    async fn set_plan(&self, id: &AccountId, plan: Plan) -> Result<bool, PortError>;
    /// Changes the default locale of an account and all its keys; `false` if the account does not exist.
    async fn set_locale(&self, id: &AccountId, locale: Option<Locale>) -> Result<bool, PortError>;
    /// Lets an OIDC identity act for an account; `false` if the account does not exist.
    async fn link_identity(&self, id: &AccountId, identity: &Identity) -> Result<bool, PortError>;
}
