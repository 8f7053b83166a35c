//! Account tokens: JSON Web Tokens [RFC 7519] of the stack's identity provider, signed with RS256.

use std::time::Duration;

use domain::account::Identity;
use domain::ports::{Callers, PortError};
use domain::timestamp::Timestamp;
use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use serde::Deserialize;
use tokio::sync::Mutex;

/// How long signing keys are believed without another look.
const KEYS_LAST: Duration = Duration::from_secs(3_600);
/// How soon an unknown key may cause another look: tokens with made-up keys must not become requests.
const LOOK_AGAIN: Duration = Duration::from_secs(60);
/// How far the provider's clock may be ahead of or behind ours, in seconds.
const LEEWAY: u64 = 30;

/// Whose tokens are taken, and for which client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issuer {
    /// What `iss` says.
    pub url: String,
    /// What `aud` of an identity token or `client_id` of an access token says.
    pub client_id: String,
}

/// Checks tokens, and keeps the issuer's signing keys for a while.
pub(super) struct Tokens {
    issuer: Issuer,
    kept: Mutex<Option<Kept>>,
}

struct Kept {
    keys: JwkSet,
    since: Timestamp,
}

/// The claims that are read; `iss` and `exp` are judged by the library.
#[derive(Deserialize)]
struct Claims {
    sub: String,
    #[serde(default)]
    aud: Option<String>,
    #[serde(default)]
    client_id: Option<String>,
    #[serde(default)]
    email: Option<String>,
}

impl Tokens {
    /// Tokens of `issuer`.
    pub(super) fn new(issuer: Issuer) -> Self {
        let kept = Mutex::new(None);
        Self { issuer, kept }
    }

    /// Whom the token stands for; `None` for one that is malformed, expired, another issuer's or another client's.
    pub(super) async fn identity<P: Callers + ?Sized>(
        &self,
        ports: &P,
        token: &str,
        now: Timestamp,
    ) -> Result<Option<Identity>, PortError> {
        let Some(name) = decode_header(token).ok().and_then(|header| header.kid) else {
            return Ok(None);
        };
        let key = self.key(ports, &name, now).await?;
        Ok(key.and_then(|key| self.read(token, &key)))
    }

    fn read(&self, token: &str, key: &DecodingKey) -> Option<Identity> {
        let mut validation = Validation::new(Algorithm::RS256);
        validation.set_issuer(&[&self.issuer.url]);
        validation.set_required_spec_claims(&["exp", "iss", "sub"]);
        validation.leeway = LEEWAY;
        // An access token names its client elsewhere, so both are judged below.
        validation.validate_aud = false;
        let claims = decode::<Claims>(token, key, &validation).ok()?.claims;
        let client = claims.aud.or(claims.client_id)?;
        (client == self.issuer.client_id && !claims.sub.is_empty()).then(|| Identity {
            issuer: self.issuer.url.clone(),
            subject: claims.sub,
            email: claims.email,
        })
    }

    async fn key<P: Callers + ?Sized>(
        &self,
        ports: &P,
        name: &str,
        now: Timestamp,
    ) -> Result<Option<DecodingKey>, PortError> {
        let mut kept = self.kept.lock().await;
        if let Some(kept) = &*kept {
            let known = kept.find(name);
            let lasts = if known.is_some() {
                KEYS_LAST
            } else {
                LOOK_AGAIN
            };
            if now.since(kept.since) < lasts {
                return Ok(known);
            }
        }
        let keys = match (self.read_keys(ports).await, &*kept) {
            (Ok(keys), _) => keys,
            // Better an old key than nobody signed in while the provider is down.
            (Err(error), Some(kept)) => return kept.find(name).map(Some).ok_or(error),
            (Err(error), None) => return Err(error),
        };
        let fresh = kept.insert(Kept { keys, since: now });
        Ok(fresh.find(name))
    }

    async fn read_keys<P: Callers + ?Sized>(&self, ports: &P) -> Result<JwkSet, PortError> {
        let keys = ports.signing_keys(&self.issuer.url).await?;
        serde_json::from_value(keys).map_err(|_| PortError::Unavailable {
            service: "identity provider",
            reason: "its signing keys are not a JSON Web Key Set".to_owned(),
        })
    }
}

impl Kept {
    fn find(&self, name: &str) -> Option<DecodingKey> {
        DecodingKey::from_jwk(self.keys.find(name)?).ok()
    }
}

#[cfg(test)]
#[path = "token_tests.rs"]
mod tests;
