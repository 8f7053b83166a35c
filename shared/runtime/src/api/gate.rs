//! The gate: who calls, whether they may, and whether they call too often.

use std::sync::Arc;

use contract::route::{Access, Header};
use domain::account::Admission;
use domain::burst::{Burst, rest_of_second};
use domain::key::{ApiKey, Pepper};
use domain::ports::AdmitKeys;

use super::{Answer, Call};
use crate::refusal::Refusal;

/// What the gate needs to judge a key.
pub struct Gate {
    keys: Arc<dyn AdmitKeys>,
    pepper: Pepper,
}

impl Gate {
    /// A gate that looks keys up in `keys` and hashes their secrets under `pepper`.
    #[must_use]
    pub fn new(keys: Arc<dyn AdmitKeys>, pepper: Pepper) -> Self {
        Self { keys, pepper }
    }
}

/// Lets a call pass, with its caller noted, and tells what is left of the burst limit.
pub(super) async fn pass(gate: Option<&Gate>, call: &mut Call) -> Result<Option<Burst>, Refusal> {
    let access = call.route.access;
    if access == Access::Open {
        return Ok(None);
    }
    let gate = gate.ok_or_else(Refusal::unauthenticated)?;
    let key = credential(call)?;
    match gate
        .keys
        .admit(key.id(), &key.hash(&gate.pepper), call.now)
        .await?
    {
        Admission::Refused => Err(Refusal::invalid_key()),
        Admission::TooFast(burst) => with_burst(Err(Refusal::too_fast(burst)), Some(burst)),
        Admission::Admitted { caller, burst } => {
            tracing::Span::current().record("account_id", caller.account_id.as_str());
            if let Access::Scoped(scope) = access
                && !caller.may(scope)
            {
                return with_burst(Err(Refusal::lacks(scope)), Some(burst));
            }
            call.caller = Some(caller);
            Ok(Some(burst))
        }
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

fn credential(call: &Call) -> Result<ApiKey, Refusal> {
    if !call.headers.contains_key("authorization") {
        return Err(Refusal::unauthenticated());
    }
    let (scheme, token) = call
        .header("authorization")
        .and_then(|value| value.split_once(' '))
        .unwrap_or_default();
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(Refusal::invalid_key());
    }
    ApiKey::parse(token.trim()).ok_or_else(Refusal::invalid_key)
}
