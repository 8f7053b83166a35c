//! Accounts, their keys, and the caller that a request is made by.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::burst::Burst;
use crate::id::AccountId;
use crate::idempotency::digest;
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
#[serde_with::skip_serializing_none]
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
    pub name: Option<String>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
}

/// Whom an OIDC token stands for. Prints without what would tell a person.
#[derive(Clone, PartialEq, Eq)]
pub struct Identity {
    /// The identity provider.
    pub issuer: String,
    /// The provider's name for the person, which never changes.
    pub subject: String,
    /// Where the person is reached, when the token says so.
    pub email: Option<String>,
}

impl Identity {
    /// Names the identity: SHA-256 over issuer and subject, in lower-case hexadecimal.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        digest(&[&self.issuer, &self.subject])
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Identity({}, ***)", self.issuer)
    }
}

/// What a request was admitted with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Credential {
    /// An API key.
    Key(KeyId),
    /// An account's OIDC token.
    Token,
    /// None: the work is open to anybody.
    Nobody,
}

/// Who makes a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The account it acts for.
    pub account_id: AccountId,
    /// What it was admitted with.
    pub credential: Credential,
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

/// What the gate found out about a credential.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Admission {
    /// The request may pass.
    Admitted {
        /// Who makes it.
        caller: Caller,
        /// What is left of this second.
        burst: Burst,
    },
    /// The credential is right, but has been used too often in this second.
    TooFast(Burst),
    /// No such key, another secret, or revoked: never told apart.
    Refused,
}
