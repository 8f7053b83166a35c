//! Accounts, API keys, and the caller of a request.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::burst::Burst;
use crate::id::AccountId;
use crate::idempotency::digest;
use crate::key::{KeyId, SecretHash};
use crate::operation::Locale;
use crate::plan::Plan;
use crate::scope::Scope;
use crate::timestamp::Timestamp;

/// An account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Account {
    /// Identifier.
    pub id: AccountId,
    /// Plan.
    pub plan: Plan,
    /// Email address of the owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// Default locale of conversions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locale: Option<Locale>,
    /// Time of creation.
    pub created_at: Timestamp,
}

/// A stored API key. It includes plan, locale and scopes, so that one read authenticates a request.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredKey {
    /// Public part of the key.
    pub id: KeyId,
    /// Hash of the secret part.
    pub secret_hash: SecretHash,
    /// The account.
    pub account_id: AccountId,
    /// Plan of the account.
    pub plan: Plan,
    /// Default locale of the account.
    pub locale: Option<Locale>,
    /// Scopes granted.
    pub scopes: Vec<Scope>,
    /// Name given by the owner.
    pub name: Option<String>,
    /// Time of creation.
    pub created_at: Timestamp,
    /// Time of revocation.
    pub revoked_at: Option<Timestamp>,
}

/// The identity of an OIDC token. `Debug` omits personal data.
#[derive(Clone, PartialEq, Eq)]
pub struct Identity {
    /// The issuer.
    pub issuer: String,
    /// The subject: the issuer's permanent identifier of the person.
    pub subject: String,
    /// Email address, if the token contains it.
    pub email: Option<String>,
}

impl Identity {
    /// Returns a hash of the identity: SHA-256 over issuer and subject, in lower-case hexadecimal.
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

/// How a request was authenticated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Credential {
    /// With an API key.
    Key(KeyId),
    /// With an OIDC token.
    Token,
    /// Not at all: the route is public.
    Anonymous,
}

/// The caller of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The account.
    pub account_id: AccountId,
    /// How the request was authenticated.
    pub credential: Credential,
    /// Plan of the account.
    pub plan: Plan,
    /// Default locale of the account.
    pub locale: Option<Locale>,
    /// Scopes granted.
    pub scopes: Vec<Scope>,
}

impl Caller {
    /// Whether the caller has `scope`.
    #[must_use]
    pub fn has_scope(&self, scope: Scope) -> bool {
        self.scopes.contains(&scope)
    }
}

/// The result of authentication.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Admission {
    /// The request is admitted.
    Admitted {
        /// The caller.
        caller: Caller,
        /// Remaining requests in this second.
        burst: Burst,
    },
    /// The credential is valid but has exceeded its requests per second.
    RateLimited(Burst),
    /// Unknown key, wrong secret, or revoked key. The three cases are not distinguished.
    InvalidCredential,
}
