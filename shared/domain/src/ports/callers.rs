//! Authentication.

use async_trait::async_trait;
use serde_json::Value;

use super::PortError;
use crate::account::{Admission, Identity};
use crate::id::AccountId;
use crate::key::{KeyId, SecretHash};
use crate::timestamp::Timestamp;

/// Authentication of callers by API key or OIDC token.
#[async_trait]
pub trait Callers: Send + Sync {
    /// Admits a request with an API key at `now`: one conditional update looks up the key, checks its secret, and counts the
    /// request against the burst limit.
    async fn admit(
        &self,
        key: &KeyId,
        secret: &SecretHash,
        now: Timestamp,
    ) -> Result<Admission, PortError>;
    /// Admits a request with a valid OIDC token of `identity` at `now`. A new identity gets a Free account with the
    /// identifier `new_account`.
    async fn admit_identity(
        &self,
        identity: &Identity,
        new_account: &AccountId,
        now: Timestamp,
    ) -> Result<Admission, PortError>;
    /// Returns the JSON Web Key Set [RFC 7517] of `issuer`.
    async fn signing_keys(&self, issuer: &str) -> Result<Value, PortError>;
}
