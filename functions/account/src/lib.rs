//! The account routes: what the plan includes and what is left of it.

use std::sync::Arc;

use contract::usage::Usage;
use domain::key::Pepper;
use domain::ports::{AdmitKeys, ReadUsage};
use runtime::api::{Answer, Api, Call, Gate};
use runtime::refusal::Refusal;

/// What the account routes may do.
pub trait Ports: AdmitKeys + ReadUsage + 'static {}

impl<P: AdmitKeys + ReadUsage + 'static> Ports for P {}

/// The account routes over `ports`.
#[must_use]
pub fn api<P: Ports>(ports: Arc<P>, pepper: Pepper) -> Api<impl Send + Sync + 'static> {
    let gate = Gate::new(Arc::clone(&ports) as Arc<dyn AdmitKeys>, pepper);
    Api::new("account", ports, Some(gate)).route("getUsage", get_usage)
}

async fn get_usage<P: Ports>(ports: Arc<P>, call: Call) -> Result<Answer, Refusal> {
    let caller = call.caller()?;
    let period = call.now.period();
    let used = ports.used(&caller.account_id, period).await?;
    Ok(Answer::json(200, &Usage::of(caller.plan, used, period)))
}
