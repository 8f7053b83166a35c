//! Authentication, authorization by scope and the rate limit.

use std::sync::Arc;

use contract::route::{Access, Header};
use domain::account::{Admission, Caller, Credential};
use domain::burst::{Burst, rest_of_second};
use domain::id::AccountId;
use domain::key::{ApiKey, Pepper};
use domain::ports::Callers;

use super::token::{Issuer, TokenVerifier};
use super::{Request, Response};
use crate::clock;
use crate::error::ApiError;

/// Authenticates requests by API key or account token.
pub struct Authenticator {
    ports: Arc<dyn Callers>,
    pepper: Pepper,
    tokens: TokenVerifier,
}

impl Authenticator {
    /// Creates an authenticator that looks up callers in `ports`, hashes API keys with `pepper` and accepts tokens of
    /// `issuer`.
    #[must_use]
    pub fn new(ports: Arc<dyn Callers>, pepper: Pepper, issuer: Issuer) -> Self {
        let tokens = TokenVerifier::new(issuer);
        Self {
            ports,
            pepper,
            tokens,
        }
    }

    async fn admit(&self, request: &Request) -> Result<Admission, ApiError> {
        let credential = bearer_token(request)?;
        if let Some(key) = ApiKey::parse(credential) {
            let hash = key.hash(&self.pepper);
            return Ok(self.ports.admit(key.id(), &hash, request.now).await?);
        }
        let ports = self.ports.as_ref();
        let Some(identity) = self.tokens.identity(ports, credential, request.now).await? else {
            return Ok(Admission::InvalidCredential);
        };
        let new_account = AccountId::mint(request.now, clock::random());
        Ok(ports
            .admit_identity(&identity, &new_account, request.now)
            .await?)
    }
}

/// Authenticates and authorizes a request, sets its caller and returns the state of the rate limit.
pub(super) async fn authenticate(
    authenticator: Option<&Authenticator>,
    request: &mut Request,
) -> Result<Option<Burst>, ApiError> {
    let access = request.route.access;
    if access == Access::Open {
        return Ok(None);
    }
    let authenticator = authenticator.ok_or_else(ApiError::unauthenticated)?;
    match authenticator.admit(request).await? {
        Admission::InvalidCredential => Err(ApiError::invalid_credential()),
        Admission::RateLimited(burst) => {
            with_rate_limit(Err(ApiError::rate_limited(burst)), Some(burst))
        }
        Admission::Admitted { caller, burst } => {
            tracing::Span::current().record("account_id", caller.account_id.as_str());
            if let Err(error) = authorize(&caller, access) {
                return with_rate_limit(Err(error), Some(burst));
            }
            request.caller = Some(caller);
            Ok(Some(burst))
        }
    }
}

fn authorize(caller: &Caller, access: Access) -> Result<(), ApiError> {
    match access {
        Access::Scoped(scope) | Access::Both(scope, _) if !caller.has_scope(scope) => {
            Err(ApiError::insufficient_scope(scope))
        }
        Access::Both(_, scope) if !caller.has_scope(scope) => {
            Err(ApiError::insufficient_scope(scope))
        }
        Access::Account if caller.credential != Credential::Token => {
            Err(ApiError::token_required())
        }
        _ => Ok(()),
    }
}

/// Adds the `RateLimit` headers [IETF draft-ietf-httpapi-ratelimit-headers].
pub(super) fn with_rate_limit<T: WithHeader>(
    outcome: Result<T, ApiError>,
    burst: Option<Burst>,
) -> Result<T, ApiError> {
    let Some(burst) = burst else {
        return outcome;
    };
    let seconds = rest_of_second(crate::clock::now()).as_secs().max(1);
    let policy = format!("\"burst\";q={};w=1", burst.limit);
    let state = format!("\"burst\";r={};t={seconds}", burst.remaining);
    match outcome {
        Ok(response) => Ok(response
            .with_header(Header::RateLimitPolicy, policy)
            .with_header(Header::RateLimit, state)),
        Err(error) => Err(error
            .with_header(Header::RateLimitPolicy, policy)
            .with_header(Header::RateLimit, state)),
    }
}

/// A value to which response headers can be added.
pub(super) trait WithHeader {
    fn with_header(self, header: Header, value: String) -> Self;
}

impl WithHeader for Response {
    fn with_header(self, header: Header, value: String) -> Self {
        self.with_header(header, value)
    }
}

impl WithHeader for Option<Burst> {
    fn with_header(self, _header: Header, _value: String) -> Self {
        self
    }
}

/// Returns the bearer token of the `Authorization` header [RFC 6750].
fn bearer_token(request: &Request) -> Result<&str, ApiError> {
    if !request.headers.contains_key("authorization") {
        return Err(ApiError::unauthenticated());
    }
    let (scheme, credential) = request
        .header("authorization")
        .and_then(|value| value.split_once(' '))
        .unwrap_or_default();
    if scheme.eq_ignore_ascii_case("bearer") {
        Ok(credential.trim())
    } else {
        Err(ApiError::invalid_credential())
    }
}
