//! Account tokens: JSON Web Tokens (JWT) [RFC 7519] of the OpenID provider, signed with RS256.

use std::time::Duration;

use domain::account::Identity;
use domain::ports::{Callers, PortError};
use domain::timestamp::Timestamp;
use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use serde::Deserialize;
use tokio::sync::Mutex;

/// How long the JWKS is cached.
const JWKS_CACHE_TIME: Duration = Duration::from_secs(3_600);
/// Minimum time between fetches of the JWKS for an unknown `kid`, so that forged tokens do not cause a request each.
const UNKNOWN_KEY_REFRESH: Duration = Duration::from_secs(60);
/// Tolerated clock skew in seconds.
const LEEWAY: u64 = 30;

/// The issuer and audience of accepted tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issuer {
    /// The `iss` claim.
    pub url: String,
    /// The `aud` claim of ID tokens and the `client_id` claim of access tokens.
    pub client_id: String,
}

/// Verifies tokens with the issuer's cached JWKS.
pub(super) struct TokenVerifier {
    issuer: Issuer,
    cache: Mutex<Option<CachedJwks>>,
}

struct CachedJwks {
    keys: JwkSet,
    fetched_at: Timestamp,
}

/// Claims used here; the JWT library verifies `iss` and `exp`.
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

impl TokenVerifier {
    /// Creates a verifier for tokens of `issuer`.
    pub(super) fn new(issuer: Issuer) -> Self {
        let cache = Mutex::new(None);
        Self { issuer, cache }
    }

    /// Returns the identity of a valid token; `None` if it is malformed, expired, or has another issuer or audience.
    pub(super) async fn identity<P: Callers + ?Sized>(
        &self,
        ports: &P,
        token: &str,
        now: Timestamp,
    ) -> Result<Option<Identity>, PortError> {
        let Some(key_id) = decode_header(token).ok().and_then(|header| header.kid) else {
            return Ok(None);
        };
        let key = self.key(ports, &key_id, now).await?;
        Ok(key.and_then(|key| self.verify(token, &key)))
    }

    fn verify(&self, token: &str, key: &DecodingKey) -> Option<Identity> {
        let mut validation = Validation::new(Algorithm::RS256);
        validation.set_issuer(&[&self.issuer.url]);
        validation.set_required_spec_claims(&["exp", "iss", "sub"]);
        validation.leeway = LEEWAY;
        // Access tokens have `client_id` in place of `aud`, so the one that is present is checked below.
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
        key_id: &str,
        now: Timestamp,
    ) -> Result<Option<DecodingKey>, PortError> {
        let mut cache = self.cache.lock().await;
        if let Some(cached) = &*cache {
            let key = cached.find(key_id);
            let max_age = if key.is_some() {
                JWKS_CACHE_TIME
            } else {
                UNKNOWN_KEY_REFRESH
            };
            if now.since(cached.fetched_at) < max_age {
                return Ok(key);
            }
        }
        let keys = match (self.fetch_keys(ports).await, &*cache) {
            (Ok(keys), _) => keys,
            // A stale key is used while the provider is down, so that signed-in users stay signed in.
            (Err(error), Some(cached)) => return cached.find(key_id).map(Some).ok_or(error),
            (Err(error), None) => return Err(error),
        };
        let fetched = cache.insert(CachedJwks {
            keys,
            fetched_at: now,
        });
        Ok(fetched.find(key_id))
    }

    async fn fetch_keys<P: Callers + ?Sized>(&self, ports: &P) -> Result<JwkSet, PortError> {
        let keys = ports.signing_keys(&self.issuer.url).await?;
        serde_json::from_value(keys).map_err(|_| PortError::Unavailable {
            service: "identity provider",
            reason: "the response is not a JSON Web Key Set".to_owned(),
        })
    }
}

impl CachedJwks {
    fn find(&self, key_id: &str) -> Option<DecodingKey> {
        DecodingKey::from_jwk(self.keys.find(key_id)?).ok()
    }
}

#[cfg(test)]
#[path = "token_tests.rs"]
mod tests;
