//! The routes of webhooks and automation hooks: register, list, read, end, try out, rotate secrets, deliver again.
#![cfg_attr(test, allow(missing_docs))]

mod automation;
mod deliveries;
mod position;
mod register;
mod rotate;
#[cfg(test)]
mod tests;
mod webhooks;

use std::sync::Arc;

use contract::code::ErrorCode;
use contract::webhook::webhook_id;
use domain::key::Pepper;
use domain::ports::{Callers, Deliveries, Queues, Secrets, Subscriptions};
use domain::submit::Retention;
use domain::subscription::Subscription;
use fetch::Policy;
use runtime::api::{Api, Call, Gate, Issuer};
use runtime::refusal::Refusal;

/// How often a change is made anew, because another one came before it.
const ATTEMPTS: u32 = 8;

/// What the routes of webhooks and hooks may do.
pub trait Ports: Callers + Deliveries + Queues + Secrets + Subscriptions + 'static {}

impl<P> Ports for P where P: Callers + Deliveries + Queues + Secrets + Subscriptions + 'static {}

/// What the handlers share.
struct Hooks<P> {
    ports: Arc<P>,
    pepper: Pepper,
    guard: Policy,
    retention: Retention,
}

/// The routes of webhooks and hooks over `ports`; `guard` judges the URLs of receivers, and `retention` is how long
/// idempotency keys and deliveries live.
#[must_use]
pub fn api<P: Ports>(
    ports: Arc<P>,
    pepper: Pepper,
    issuer: Issuer,
    guard: Policy,
    retention: Retention,
) -> Api<impl Send + Sync + 'static> {
    let callers = Arc::clone(&ports) as Arc<dyn Callers>;
    let gate = Gate::new(callers, pepper.clone(), issuer);
    let hooks = Hooks {
        ports,
        pepper,
        guard,
        retention,
    };
    let api = Api::new("hooks", Arc::new(hooks), Some(gate));
    with_webhooks(with_hooks(api))
}

fn with_hooks<P: Ports>(api: Api<Hooks<P>>) -> Api<Hooks<P>> {
    api.route("subscribeHook", automation::subscribe_hook)
        .route("unsubscribeHook", automation::unsubscribe_hook)
        .route("listHooks", automation::list_hooks)
        .route("listHookSamples", automation::list_hook_samples)
}

fn with_webhooks<P: Ports>(api: Api<Hooks<P>>) -> Api<Hooks<P>> {
    api.route("createWebhook", webhooks::create_webhook)
        .route("listWebhooks", webhooks::list_webhooks)
        .route("getWebhook", webhooks::get_webhook)
        .route("deleteWebhook", webhooks::delete_webhook)
        .route("rotateWebhookSecret", rotate::rotate_webhook_secret)
        .route("testWebhook", deliveries::test_webhook)
        .route("listDeliveries", deliveries::list_deliveries)
        .route("redeliver", deliveries::redeliver)
}

/// The caller's webhook that the path names. Another account's webhook is not told apart from none.
async fn owned_webhook<P: Subscriptions>(ports: &P, call: &Call) -> Result<Subscription, Refusal> {
    let id = webhook_id(call.parameter("webhookId")).ok_or_else(webhook_not_found)?;
    let found = ports.subscription(&call.caller()?.account_id, &id).await?;
    found.ok_or_else(webhook_not_found)
}

fn webhook_not_found() -> Refusal {
    Refusal::not_found(ErrorCode::WebhookNotFound)
}
