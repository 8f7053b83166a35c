//! Accounts, their keys, and the caller that a request is made by.

use serde::{Deserialize, Serialize};

use crate::burst::Burst;
use crate::id::AccountId;
use crate::key::{KeyId, SecretHash};
use crate::plan::Plan;
use crate::scope::Scope;
use crate::timestamp::Timestamp;

/// An account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Account {
    /// The account's identifier.
    pub id: AccountId,
    /// The plan it is on.
    pub plan: Plan,
    /// Where its owner is reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// When it was created.
    pub created_at: Timestamp,
}

/// A key as it is stored. Carries plan and scopes, so that one read admits a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredKey {
    /// The public part.
    pub id: KeyId,
    /// What is kept of the secret.
    pub secret_hash: SecretHash,
    /// The account it acts for.
    pub account_id: AccountId,
    /// The account's plan.
    pub plan: Plan,
    /// What it may do.
    pub scopes: Vec<Scope>,
    /// What its owner calls it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was revoked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoked_at: Option<Timestamp>,
}

/// Who makes a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The account it acts for.
    pub account_id: AccountId,
    /// The key it used.
    pub key_id: KeyId,
    /// The account's plan.
    pub plan: Plan,
    /// What it may do.
    pub scopes: Vec<Scope>,
}

impl Caller {
    /// Whether the caller may do what `scope` names.
    #[must_use]
    pub fn may(&self, scope: Scope) -> bool {
        self.scopes.contains(&scope)
    }
}

/// What the gate found out about a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Admission {
    /// The request may pass.
    Admitted {
        /// Who makes it.
        caller: Caller,
        /// What is left of this second.
        burst: Burst,
    },
    /// The key is right, but has been used too often in this second.
    TooFast(Burst),
    /// No such key, another secret, or revoked: never told apart.
    Refused,
}
