//! What registering a webhook and a hook have in common: the URL, the secret, the record, and the plan's limit.

use domain::account::Caller;
use domain::ports::Secrets;
use domain::source::SourceUrl;
use domain::subscription::{SigningSecret, Subscription, SubscriptionId};
use fetch::Policy;
use runtime::api::Call;
use runtime::refusal::Refusal;

/// The URL that the member at `path` holds, judged by its text alone: its name is looked up when something is sent.
pub(crate) fn admitted(
    guard: &Policy,
    call: &Call,
    path: &str,
    url: &str,
) -> Result<SourceUrl, Refusal> {
    let guard = guard.with_own(call.own_hosts());
    guard
        .admit_source(url)
        .map_err(|refusal| Refusal::url(refusal, path))
}

/// A new subscription that hears of nothing yet, and its secret in clear.
pub(crate) async fn new<P: Secrets>(
    ports: &P,
    call: &Call,
    id: SubscriptionId,
    url: SourceUrl,
) -> Result<(Subscription, SigningSecret), Refusal> {
    let (secret, sealed) = new_secret(ports, &id).await?;
    let account = call.caller()?.account_id.clone();
    let subscription = Subscription::new(id, account, url, sealed, call.now);
    Ok((subscription, secret))
}

/// A new secret of a subscription, in clear and sealed.
pub(crate) async fn new_secret<P: Secrets>(
    ports: &P,
    id: &SubscriptionId,
) -> Result<(SigningSecret, String), Refusal> {
    let secret = SigningSecret::new(runtime::clock::secret_material());
    let sealed = ports.seal(id, &secret).await?;
    Ok((secret, sealed))
}

/// The refusal of a subscription that the plan has no room for.
pub(crate) fn limit_reached(caller: &Caller) -> Refusal {
    let most = caller.plan.limits().subscriptions;
    let detail = format!(
        "the {} plan allows {most} webhooks and automation hooks together; end one, or choose a larger plan",
        caller.plan
    );
    Refusal::plan_required(detail)
}
