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
use runtime::api::{Answer, Call};
use runtime::clock::random;
use runtime::refusal::Refusal;
use serde_json::Value;

use crate::{Hooks, Ports, owned_webhook, position, register, webhook_not_found};

/// The scope of idempotency keys.
const ROUTE: &str = "POST /webhooks";

pub(crate) async fn create_webhook<P: Ports>(
    hooks: Arc<Hooks<P>>,
    call: Call,
) -> Result<Answer, Refusal> {
    let body = call.json()?;
    let request = remembered(&hooks, &call, &body)?;
    let (asked, events) = CreateWebhook::read(&body).map_err(|faults| call.malformed(faults))?;
    let url = register::admitted(&hooks.guard, &call, "$.url", &asked.url)?;
    let (ports, caller) = (hooks.ports.as_ref(), call.caller()?);
    let id = SubscriptionId::Webhook(WebhookId::mint(call.now, random()));
    let (new, secret) = register::new(ports, &call, id, url).await?;
    let webhook = Subscription { events, ..new };
    let most = caller.plan.limits().subscriptions;
    let subscribed = ports.subscribe(&webhook, most, request.as_ref());
    created(subscribed.await?, &webhook, &secret, caller)
}

/// The answer for a webhook that was to be stored.
fn created(
    subscribed: Subscribed,
    webhook: &Subscription,
    secret: &SigningSecret,
    caller: &Caller,
) -> Result<Answer, Refusal> {
    match subscribed {
        Subscribed::New => {
            let created = WebhookCreated::of(webhook, Some(secret));
            Ok(Answer::json(201, &created))
        }
        Subscribed::Replayed(Some(earlier)) => {
            let answer = Answer::json(201, &WebhookCreated::of(&earlier, None));
            Ok(answer.with(Header::IdempotencyReplayed, "true"))
        }
        Subscribed::Replayed(None) => Err(webhook_not_found()),
        Subscribed::KeyReused => Err(Refusal::key_reused()),
        Subscribed::LimitReached => Err(register::limit_reached(caller)),
    }
}

pub(crate) async fn list_webhooks<P: Ports>(
    hooks: Arc<Hooks<P>>,
    call: Call,
) -> Result<Answer, Refusal> {
    let request = ListPage::read(call.query()).map_err(|faults| Refusal::malformed(400, faults))?;
    let after = position::read(&hooks.pepper, &call, request.cursor.as_ref())?;
    let after = after.map(SubscriptionId::Webhook);
    let (account, kind) = (&call.caller()?.account_id, SubscriptionKind::Webhook);
    let page = hooks
        .ports
        .subscriptions(account, kind, after.as_ref(), request.limit)
        .await?;
    report_unreadable(&page.unreadable);
    let last = page.next.as_ref().map(SubscriptionId::as_str);
    let list = WebhookList {
        webhooks: page.subscriptions.iter().map(Webhook::from).collect(),
        next_cursor: position::write(&hooks.pepper, &call, last)?,
    };
    Ok(Answer::json(200, &list))
}

pub(crate) async fn get_webhook<P: Ports>(
    hooks: Arc<Hooks<P>>,
    call: Call,
) -> Result<Answer, Refusal> {
    let webhook = owned_webhook(hooks.ports.as_ref(), &call).await?;
    Ok(Answer::json(200, &Webhook::from(&webhook)))
}

pub(crate) async fn delete_webhook<P: Ports>(
    hooks: Arc<Hooks<P>>,
    call: Call,
) -> Result<Answer, Refusal> {
    let id = webhook_id(call.parameter("webhookId")).ok_or_else(webhook_not_found)?;
    let account = &call.caller()?.account_id;
    match hooks.ports.unsubscribe(account, &id, call.now).await? {
        true => Ok(Answer::empty(204)),
        false => Err(webhook_not_found()),
    }
}

/// The request as its idempotency key makes it known; `None` without one.
fn remembered<P>(
    hooks: &Hooks<P>,
    call: &Call,
    body: &Value,
) -> Result<Option<SubscriptionRequest>, Refusal> {
    let Some(key) = call.idempotency_key()? else {
        return Ok(None);
    };
    Ok(Some(SubscriptionRequest {
        fingerprint: key.fingerprint(&call.caller()?.account_id, ROUTE),
        body_hash: body_hash(body),
        expires_at: call.now.plus(days(hooks.retention.job_days)),
    }))
}
