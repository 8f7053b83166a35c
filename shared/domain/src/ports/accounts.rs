//! Accounts.

use async_trait::async_trait;

use super::PortError;
use crate::account::{Account, Identity};
use crate::id::AccountId;
use crate::plan::Plan;

/// Accounts, with their plans and identities.
#[async_trait]
pub trait Accounts: Send + Sync {
    /// Stores a new account.
    async fn create_account(&self, account: &Account) -> Result<(), PortError>;
    /// Reads an account.
    async fn account(&self, id: &AccountId) -> Result<Option<Account>, PortError>;
    /// The plan that an account is on; `None` when there is no such account.
    async fn plan(&self, account: &AccountId) -> Result<Option<Plan>, PortError>;
    /// Moves an account and all its keys to another plan; `false` when there is no such account.
    async fn set_plan(&self, id: &AccountId, plan: Plan) -> Result<bool, PortError>;
    /// Lets whoever a token stands for act for an account; `false` when there is no such account.
    async fn link_identity(&self, id: &AccountId, identity: &Identity) -> Result<bool, PortError>;
}
