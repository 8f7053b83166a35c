//! Registration of webhooks and automation hooks: URL check, signing secret, plan limit.

use domain::account::Caller;
use domain::ports::Secrets;
use domain::source::SourceUrl;
use domain::subscription::{SigningSecret, Subscription, SubscriptionId};
use fetch::Policy;
use runtime::api::Request;
use runtime::error::ApiError;

/// Checks the URL of the member at `path` without DNS lookups; its addresses are checked at each delivery.
pub(crate) fn admitted(
    guard: &Policy,
    request: &Request,
    path: &str,
    url: &str,
) -> Result<SourceUrl, ApiError> {
    let guard = guard.with_own_hosts(request.own_hosts());
    guard
        .admit_source(url)
        .map_err(|error| ApiError::for_url(error, path))
}

/// Creates a subscription without event types, and its secret in plain text.
pub(crate) async fn new<P: Secrets>(
    ports: &P,
    request: &Request,
    id: SubscriptionId,
    url: SourceUrl,
) -> Result<(Subscription, SigningSecret), ApiError> {
    let (secret, sealed) = new_secret(ports, &id).await?;
    let account = request.caller()?.account_id.clone();
    let subscription = Subscription::new(id, account, url, sealed, request.now);
    Ok((subscription, secret))
}

/// Creates a signing secret; returns it in plain text and encrypted.
pub(crate) async fn new_secret<P: Secrets>(
    ports: &P,
    id: &SubscriptionId,
) -> Result<(SigningSecret, String), ApiError> {
    let secret = SigningSecret::new(runtime::clock::secret_material());
    let sealed = ports.seal(id, &secret).await?;
    Ok((secret, sealed))
}

/// Creates the error for a subscription beyond the plan's limit.
pub(crate) fn limit_reached(caller: &Caller) -> ApiError {
    let maximum = caller.plan.limits().subscriptions;
    let detail = format!(
        "The {} plan allows {maximum} webhooks and automation hooks in total. Delete one or upgrade the plan.",
        caller.plan
    );
    ApiError::plan_required(detail)
}
