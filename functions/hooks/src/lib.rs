//! Routes of webhooks and automation hooks: create, list, get, delete, test, rotate secrets, redeliver.
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
use runtime::api::{Api, Authenticator, Issuer, Request};
use runtime::error::ApiError;

/// Maximum attempts of a conditional write that loses to concurrent writes.
const MAX_WRITE_ATTEMPTS: u32 = 8;

/// Ports that the routes use.
pub trait Ports: Callers + Deliveries + Queues + Secrets + Subscriptions + 'static {}

impl<P> Ports for P where P: Callers + Deliveries + Queues + Secrets + Subscriptions + 'static {}

/// State shared by the handlers.
struct Hooks<P> {
    ports: Arc<P>,
    pepper: Pepper,
    guard: Policy,
    retention: Retention,
}

/// Creates the routes over `ports`. `guard` checks receiver URLs; `retention` applies to idempotency keys and deliveries.
#[must_use]
pub fn api<P: Ports>(
    ports: Arc<P>,
    pepper: Pepper,
    issuer: Issuer,
    guard: Policy,
    retention: Retention,
) -> Api<impl Send + Sync + 'static> {
    let callers = Arc::clone(&ports) as Arc<dyn Callers>;
    let authenticator = Authenticator::new(callers, pepper.clone(), issuer);
    let hooks = Hooks {
        ports,
        pepper,
        guard,
        retention,
    };
    let api = Api::new("hooks", Arc::new(hooks), Some(authenticator));
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

/// Loads the webhook in the path. Returns 404 for webhooks of other accounts, too, so that IDs cannot be probed.
async fn owned_webhook<P: Subscriptions>(
    ports: &P,
    request: &Request,
) -> Result<Subscription, ApiError> {
    let id = webhook_id(request.parameter("webhookId")).ok_or_else(webhook_not_found)?;
    let found = ports
        .subscription(&request.caller()?.account_id, &id)
        .await?;
    found.ok_or_else(webhook_not_found)
}

fn webhook_not_found() -> ApiError {
    ApiError::not_found(ErrorCode::WebhookNotFound)
}
