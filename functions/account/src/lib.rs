//! The account routes: what the plan includes and what is left of it, and the account's keys.

mod keys;

use std::sync::Arc;

use contract::usage;
use domain::key::Pepper;
use domain::ports::{Callers, Keys, Usage};
use runtime::api::{Answer, Api, Call, Gate, Issuer};
use runtime::refusal::Refusal;

/// What the account routes may do.
pub trait Ports: Callers + Keys + Usage + 'static {}

impl<P: Callers + Keys + Usage + 'static> Ports for P {}

/// What the handlers share.
struct Accounts<P> {
    ports: Arc<P>,
    pepper: Pepper,
}

/// The account routes over `ports`.
#[must_use]
pub fn api<P: Ports>(
    ports: Arc<P>,
    pepper: Pepper,
    issuer: Issuer,
) -> Api<impl Send + Sync + 'static> {
    let callers = Arc::clone(&ports) as Arc<dyn Callers>;
    let gate = Gate::new(callers, pepper.clone(), issuer);
    Api::new("account", Arc::new(Accounts { ports, pepper }), Some(gate))
        .route("getUsage", get_usage)
        .route("listKeys", keys::list)
        .route("createKey", keys::create)
        .route("revokeKey", keys::revoke)
}

async fn get_usage<P: Ports>(accounts: Arc<Accounts<P>>, call: Call) -> Result<Answer, Refusal> {
    let caller = call.caller()?;
    let period = call.now.period();
    let used = accounts.ports.used(&caller.account_id, period).await?;
    Ok(Answer::json(
        200,
        &usage::Usage::of(caller.plan, used, period),
    ))
}
