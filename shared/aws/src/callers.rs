//! Authentication and rate limiting: one conditional update looks up a credential, verifies it and counts the request.

mod burst;
mod identity;

use async_trait::async_trait;
use domain::account::{Admission, Caller, Credential, Identity, StoredKey};
use domain::burst::Burst;
use domain::id::AccountId;
use domain::key::{KeyId, SecretHash};
use domain::ports::{Callers, PortError};
use domain::timestamp::Timestamp;
use serde_json::Value;

use self::burst::{Counted, WITHIN_BURST_LIMIT, burst, burst_limit};
use crate::item::{self, Item, text};
use crate::keys;
use crate::services::Services;

const SECRET_MATCHES: &str = "secretHash = :hash AND attribute_not_exists(revokedAt)";

#[async_trait]
impl Callers for Services {
    async fn admit(
        &self,
        key: &KeyId,
        secret: &SecretHash,
        now: Timestamp,
    ) -> Result<Admission, PortError> {
        let key = keys::api_key(key);
        let update = self
            .count_request(&key, now)?
            .condition_expression(format!("{WITHIN_BURST_LIMIT} AND {SECRET_MATCHES}"))
            .expression_attribute_values(":hash", text(secret.as_str()));
        match self.counted(&key, update, now).await? {
            Counted::Yes(stored) => admitted(stored, now),
            Counted::No(stored) => rejected(stored, secret),
        }
    }

    async fn admit_identity(
        &self,
        identity: &Identity,
        new_account: &AccountId,
        now: Timestamp,
    ) -> Result<Admission, PortError> {
        let key = keys::identity(&identity.fingerprint());
        let admission = self.admit_known(&key, now).await?;
        if admission != Admission::InvalidCredential {
            return Ok(admission);
        }
        self.sign_up(identity, new_account, now).await?;
        self.admit_known(&key, now).await
    }

    async fn signing_keys(&self, issuer: &str) -> Result<Value, PortError> {
        self.key_set(issuer).await
    }
}

fn admitted(stored: Item, now: Timestamp) -> Result<Admission, PortError> {
    let burst = burst(&stored, now);
    let key: StoredKey = item::read(stored)?;
    Ok(Admission::Admitted {
        burst,
        caller: Caller {
            account_id: key.account_id,
            credential: Credential::Key(key.id),
            plan: key.plan,
            locale: key.locale,
            scopes: key.scopes,
        },
    })
}

/// Reports the rate limit only for the correct secret of a key that is not revoked. The comparison is done for unknown
/// keys too, so that the response time does not reveal which keys exist.
fn rejected(stored: Option<Item>, secret: &SecretHash) -> Result<Admission, PortError> {
    let limit = stored.as_ref().map_or(0, burst_limit);
    let key: Option<StoredKey> = stored.map(item::read).transpose()?;
    let is_secret_correct = key.as_ref().map_or(secret, |key| &key.secret_hash) == secret;
    Ok(match key {
        Some(key) if is_secret_correct && key.revoked_at.is_none() => {
            Admission::RateLimited(Burst::after(limit, limit))
        }
        _ => Admission::InvalidCredential,
    })
}
