//! The gate: who calls, whether they may, and whether they call too often.

use std::sync::Arc;

use contract::route::{Access, Header};
use domain::account::{Admission, Caller, Credential};
use domain::burst::{Burst, rest_of_second};
use domain::id::AccountId;
use domain::key::{ApiKey, Pepper};
use domain::ports::Callers;

use super::token::{Issuer, Tokens};
use super::{Answer, Call};
use crate::clock;
use crate::refusal::Refusal;

/// What the gate needs to judge a credential.
pub struct Gate {
    ports: Arc<dyn Callers>,
    pepper: Pepper,
    tokens: Tokens,
}

impl Gate {
    /// A gate that looks callers up in `ports`, hashes the secrets of keys under `pepper`, and takes tokens of `issuer`.
    #[must_use]
    pub fn new(ports: Arc<dyn Callers>, pepper: Pepper, issuer: Issuer) -> Self {
        let tokens = Tokens::new(issuer);
        Self {
            ports,
            pepper,
            tokens,
        }
    }

    async fn admit(&self, call: &Call) -> Result<Admission, Refusal> {
        let credential = bearer(call)?;
        if let Some(key) = ApiKey::parse(credential) {
            let hash = key.hash(&self.pepper);
            return Ok(self.ports.admit(key.id(), &hash, call.now).await?);
        }
        let ports = self.ports.as_ref();
        let Some(identity) = self.tokens.identity(ports, credential, call.now).await? else {
            return Ok(Admission::Refused);
        };
        let new_account = AccountId::mint(call.now, clock::random());
        Ok(ports
            .admit_identity(&identity, &new_account, call.now)
            .await?)
    }
}

/// Lets a call pass, with its caller noted, and tells what is left of the burst limit.
pub(super) async fn pass(gate: Option<&Gate>, call: &mut Call) -> Result<Option<Burst>, Refusal> {
    let access = call.route.access;
    if access == Access::Open {
        return Ok(None);
    }
    let gate = gate.ok_or_else(Refusal::unauthenticated)?;
    match gate.admit(call).await? {
        Admission::Refused => Err(Refusal::invalid_key()),
        Admission::TooFast(burst) => with_burst(Err(Refusal::too_fast(burst)), Some(burst)),
        Admission::Admitted { caller, burst } => {
            tracing::Span::current().record("account_id", caller.account_id.as_str());
            if let Err(refusal) = check(&caller, access) {
                return with_burst(Err(refusal), Some(burst));
            }
            call.caller = Some(caller);
            Ok(Some(burst))
        }
    }
}

fn check(caller: &Caller, access: Access) -> Result<(), Refusal> {
    match access {
        Access::Scoped(scope) | Access::Both(scope, _) if !caller.may(scope) => {
            Err(Refusal::lacks(scope))
        }
        Access::Both(_, scope) if !caller.may(scope) => Err(Refusal::lacks(scope)),
        Access::Account if caller.credential != Credential::Token => Err(Refusal::token_required()),
        _ => Ok(()),
    }
}

/// Adds the state of the burst limit [IETF draft-ietf-httpapi-ratelimit-headers].
pub(super) fn with_burst<T: Headed>(
    outcome: Result<T, Refusal>,
    burst: Option<Burst>,
) -> Result<T, Refusal> {
    let Some(burst) = burst else {
        return outcome;
    };
    let seconds = rest_of_second(crate::clock::now()).as_secs().max(1);
    let policy = format!("\"burst\";q={};w=1", burst.limit);
    let state = format!("\"burst\";r={};t={seconds}", burst.remaining);
    match outcome {
        Ok(answer) => Ok(answer
            .headed(Header::RateLimitPolicy, policy)
            .headed(Header::RateLimit, state)),
        Err(refusal) => Err(refusal
            .with(Header::RateLimitPolicy, policy)
            .with(Header::RateLimit, state)),
    }
}

/// What can carry headers.
pub(super) trait Headed {
    fn headed(self, header: Header, value: String) -> Self;
}

impl Headed for Answer {
    fn headed(self, header: Header, value: String) -> Self {
        self.with(header, value)
    }
}

impl Headed for Option<Burst> {
    fn headed(self, _header: Header, _value: String) -> Self {
        self
    }
}

/// What stands behind `Bearer` in the request's `Authorization` header.
fn bearer(call: &Call) -> Result<&str, Refusal> {
    if !call.headers.contains_key("authorization") {
        return Err(Refusal::unauthenticated());
    }
    let (scheme, credential) = call
        .header("authorization")
        .and_then(|value| value.split_once(' '))
        .unwrap_or_default();
    if scheme.eq_ignore_ascii_case("bearer") {
        Ok(credential.trim())
    } else {
        Err(Refusal::invalid_key())
    }
}
