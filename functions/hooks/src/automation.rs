//! Automation hook routes under `/hooks`, for platforms such as Zapier.

use std::sync::Arc;

use contract::event::trigger_sample;
use contract::hook::{
    HOOKS_AT_ONCE, Hook, HookList, HookSubscribed, SubscribeHook, UnsubscribeHook, Unsubscribed,
    sample_trigger,
};
use domain::account::Caller;
use domain::id::HookId;
use domain::ports::{PortError, Subscribed};
use domain::subscription::{
    Subscription, SubscriptionId, SubscriptionKind, Trigger, report_unreadable,
};
use runtime::api::{Request, Response};
use runtime::clock::random;
use runtime::error::ApiError;

use crate::{Hooks, Ports, position, register};

pub(crate) async fn subscribe_hook<P: Ports>(
    hooks: Arc<Hooks<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    let input =
        SubscribeHook::read(&request.json()?).map_err(|errors| request.malformed(errors))?;
    let url = register::admitted(&hooks.guard, &request, "$.targetUrl", &input.target_url)?;
    let caller = request.caller()?;
    require_plan(caller, input.event)?;
    let ports = hooks.ports.as_ref();
    let id = SubscriptionId::Hook(HookId::mint(request.now, random()));
    let (new, secret) = register::new(ports, &request, id, url).await?;
    let hook = Subscription {
        trigger: Some(input.event),
        ..new
    };
    let maximum = caller.plan.limits().subscriptions;
    match ports.subscribe(&hook, maximum, None).await? {
        Subscribed::New => {
            let subscribed = HookSubscribed::of(&hook, input.event, &secret);
            Ok(Response::json(201, &subscribed))
        }
        Subscribed::LimitReached => Err(register::limit_reached(caller)),
        Subscribed::Replayed(_) | Subscribed::KeyReused => Err(replayed_without_key()),
    }
}

/// Deletes a hook of the caller. Idempotent: succeeds for unknown IDs, too.
pub(crate) async fn unsubscribe_hook<P: Ports>(
    hooks: Arc<Hooks<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    let input =
        UnsubscribeHook::read(&request.json()?).map_err(|errors| request.malformed(errors))?;
    if let Ok(id) = input.id.parse() {
        let (account, id) = (&request.caller()?.account_id, SubscriptionId::Hook(id));
        hooks.ports.unsubscribe(account, &id, request.now).await?;
    }
    Ok(Response::json(200, &Unsubscribed { success: true }))
}

pub(crate) async fn list_hooks<P: Ports>(
    hooks: Arc<Hooks<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    let after = position::read(&hooks.pepper, &request, request.query().get("cursor"))?;
    let after = after.map(SubscriptionId::Hook);
    let (account, kind) = (&request.caller()?.account_id, SubscriptionKind::Hook);
    let page = hooks
        .ports
        .subscriptions(account, kind, after.as_ref(), HOOKS_AT_ONCE)
        .await?;
    report_unreadable(&page.unreadable);
    let last = page.next.as_ref().map(SubscriptionId::as_str);
    let list = HookList {
        subscriptions: page.subscriptions.iter().filter_map(Hook::of).collect(),
        next_cursor: position::write(&hooks.pepper, &request, last)?,
    };
    Ok(Response::json(200, &list))
}

pub(crate) async fn list_hook_samples<P: Ports>(
    _hooks: Arc<Hooks<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    let trigger = sample_trigger(request.query());
    let trigger = trigger.map_err(|error| ApiError::malformed(400, vec![error]))?;
    Ok(Response::json(200, &[trigger_sample(trigger)]))
}

fn require_plan(caller: &Caller, trigger: Trigger) -> Result<(), ApiError> {
    if trigger.is_included_in(caller.plan) {
        return Ok(());
    }
    let detail = format!(
        "The {} plan does not include the trigger {trigger}. It requires the {} plan.",
        caller.plan,
        trigger.plan()
    );
    Err(ApiError::plan_required(detail))
}

/// The port reported a replay although the request has no idempotency key.
fn replayed_without_key() -> ApiError {
    let error = PortError::Unavailable {
        service: "subscriptions",
        reason: "replay reported for a request without an idempotency key".to_owned(),
    };
    error.into()
}
