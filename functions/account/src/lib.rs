//! Account routes: usage against the plan's limits, and API keys.

mod keys;

use std::sync::Arc;

use contract::usage;
use domain::key::Pepper;
use domain::ports::{Callers, Keys, Usage};
use runtime::api::{Api, Authenticator, Issuer, Request, Response};
use runtime::error::ApiError;

/// Ports that the account routes use.
pub trait Ports: Callers + Keys + Usage + 'static {}

impl<P: Callers + Keys + Usage + 'static> Ports for P {}

/// State shared by the handlers.
struct Accounts<P> {
    ports: Arc<P>,
    pepper: Pepper,
}

/// Creates the account routes over `ports`.
#[must_use]
pub fn api<P: Ports>(
    ports: Arc<P>,
    pepper: Pepper,
    issuer: Issuer,
) -> Api<impl Send + Sync + 'static> {
    let callers = Arc::clone(&ports) as Arc<dyn Callers>;
    let authenticator = Authenticator::new(callers, pepper.clone(), issuer);
    Api::new(
        "account",
        Arc::new(Accounts { ports, pepper }),
        Some(authenticator),
    )
    .route("getUsage", get_usage)
    .route("listKeys", keys::list)
    .route("createKey", keys::create)
    .route("revokeKey", keys::revoke)
}

async fn get_usage<P: Ports>(
    accounts: Arc<Accounts<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    let caller = request.caller()?;
    let period = request.now.period();
    let used = accounts.ports.used(&caller.account_id, period).await?;
    Ok(Response::json(
        200,
        &usage::Usage::of(caller.plan, used, period),
    ))
}
