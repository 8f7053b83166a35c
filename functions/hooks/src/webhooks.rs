//! `POST /webhooks`, `GET /webhooks`, and `GET` and `DELETE /webhooks/{webhookId}`.

use std::sync::Arc;

use contract::route::Header;
use contract::webhook::{
    CreateWebhook, ListPage, Webhook, WebhookCreated, WebhookList, webhook_id,
};
use domain::account::Caller;
use domain::id::WebhookId;
use domain::idempotency::body_hash;
use domain::ports::{Subscribed, SubscriptionRequest};
use domain::subscription::{
    SigningSecret, Subscription, SubscriptionId, SubscriptionKind, report_unreadable,
};
use domain::timestamp::days;
use runtime::api::{Request, Response};
use runtime::clock::random;
use runtime::error::ApiError;
use serde_json::Value;

use crate::{Hooks, Ports, owned_webhook, position, register, webhook_not_found};

/// The route; idempotency keys are unique per route.
const ROUTE: &str = "POST /webhooks";

pub(crate) async fn create_webhook<P: Ports>(
    hooks: Arc<Hooks<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    let body = request.json()?;
    let idempotent_request = idempotent_request(&hooks, &request, &body)?;
    let (input, events) = CreateWebhook::read(&body).map_err(|errors| request.malformed(errors))?;
    let url = register::admitted(&hooks.guard, &request, "$.url", &input.url)?;
    let (ports, caller) = (hooks.ports.as_ref(), request.caller()?);
    let id = SubscriptionId::Webhook(WebhookId::mint(request.now, random()));
    let (new, secret) = register::new(ports, &request, id, url).await?;
    let webhook = Subscription { events, ..new };
    let maximum = caller.plan.limits().subscriptions;
    let subscribed = ports.subscribe(&webhook, maximum, idempotent_request.as_ref());
    created(subscribed.await?, &webhook, &secret, caller)
}

/// Creates the response for the result of storing a webhook.
fn created(
    subscribed: Subscribed,
    webhook: &Subscription,
    secret: &SigningSecret,
    caller: &Caller,
) -> Result<Response, ApiError> {
    match subscribed {
        Subscribed::New => {
            let created = WebhookCreated::of(webhook, Some(secret));
            Ok(Response::json(201, &created))
        }
        Subscribed::Replayed(Some(earlier)) => {
            let response = Response::json(201, &WebhookCreated::of(&earlier, None));
            Ok(response.with_header(Header::IdempotencyReplayed, "true"))
        }
        Subscribed::Replayed(None) => Err(webhook_not_found()),
        Subscribed::KeyReused => Err(ApiError::key_reused()),
        Subscribed::LimitReached => Err(register::limit_reached(caller)),
    }
}

pub(crate) async fn list_webhooks<P: Ports>(
    hooks: Arc<Hooks<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    let input =
        ListPage::read(request.query()).map_err(|errors| ApiError::malformed(400, errors))?;
    let after = position::read(&hooks.pepper, &request, input.cursor.as_ref())?;
    let after = after.map(SubscriptionId::Webhook);
    let (account, kind) = (&request.caller()?.account_id, SubscriptionKind::Webhook);
    let page = hooks
        .ports
        .subscriptions(account, kind, after.as_ref(), input.limit)
        .await?;
    report_unreadable(&page.unreadable);
    let last = page.next.as_ref().map(SubscriptionId::as_str);
    let list = WebhookList {
        webhooks: page.subscriptions.iter().map(Webhook::from).collect(),
        next_cursor: position::write(&hooks.pepper, &request, last)?,
    };
    Ok(Response::json(200, &list))
}

pub(crate) async fn get_webhook<P: Ports>(
    hooks: Arc<Hooks<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    let webhook = owned_webhook(hooks.ports.as_ref(), &request).await?;
    Ok(Response::json(200, &Webhook::from(&webhook)))
}

pub(crate) async fn delete_webhook<P: Ports>(
    hooks: Arc<Hooks<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    let id = webhook_id(request.parameter("webhookId")).ok_or_else(webhook_not_found)?;
    let account = &request.caller()?.account_id;
    match hooks.ports.unsubscribe(account, &id, request.now).await? {
        true => Ok(Response::empty(204)),
        false => Err(webhook_not_found()),
    }
}

/// Returns the fingerprint of the request's idempotency key and body; `None` without a key.
fn idempotent_request<P>(
    hooks: &Hooks<P>,
    request: &Request,
    body: &Value,
) -> Result<Option<SubscriptionRequest>, ApiError> {
    let Some(key) = request.idempotency_key()? else {
        return Ok(None);
    };
    Ok(Some(SubscriptionRequest {
        fingerprint: key.fingerprint(&request.caller()?.account_id, ROUTE),
        body_hash: body_hash(body),
        expires_at: request.now.plus(days(hooks.retention.job_days)),
    }))
}
