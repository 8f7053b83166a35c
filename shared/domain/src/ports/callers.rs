//! Authentication.

use async_trait::async_trait;
use serde_json::Value;

use super::PortError;
use crate::account::{Admission, Identity};
use crate::id::AccountId;
use crate::key::{KeyId, SecretHash};
use crate::timestamp::Timestamp;

/// Authenticates every credential that the API takes.
#[async_trait]
pub trait Callers: Send + Sync {
    /// Whether the key may make one more request at `now`: one conditional update finds the key, checks its secret and
    /// counts the burst.
    async fn admit(
        &self,
        key: &KeyId,
        secret: &SecretHash,
        now: Timestamp,
    ) -> Result<Admission, PortError>;
    /// Whether `identity`, which a token with a valid signature names, may make one more request at `now`. One that is
    /// seen for the first time gets a Free account, named `new_account`.
    async fn admit_identity(
        &self,
        identity: &Identity,
        new_account: &AccountId,
        now: Timestamp,
    ) -> Result<Admission, PortError>;
    /// The JSON Web Key Set [RFC 7517] of `issuer`.
    async fn signing_keys(&self, issuer: &str) -> Result<Value, PortError>;
}
