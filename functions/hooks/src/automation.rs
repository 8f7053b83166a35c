//! The routes under `/hooks`.

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
use runtime::api::{Answer, Call};
use runtime::clock::random;
use runtime::refusal::Refusal;

use crate::{Hooks, Ports, position, register};

pub(crate) async fn subscribe_hook<P: Ports>(
    hooks: Arc<Hooks<P>>,
    call: Call,
) -> Result<Answer, Refusal> {
    let request = SubscribeHook::read(&call.json()?).map_err(|faults| call.malformed(faults))?;
    let url = register::admitted(&hooks.guard, &call, "$.targetUrl", &request.target_url)?;
    let caller = call.caller()?;
    included(caller, request.event)?;
    let ports = hooks.ports.as_ref();
    let id = SubscriptionId::Hook(HookId::mint(call.now, random()));
    let (new, secret) = register::new(ports, &call, id, url).await?;
    let hook = Subscription {
        trigger: Some(request.event),
        ..new
    };
    let most = caller.plan.limits().subscriptions;
    match ports.subscribe(&hook, most, None).await? {
        Subscribed::New => {
            let subscribed = HookSubscribed::of(&hook, request.event, &secret);
            Ok(Answer::json(201, &subscribed))
        }
        Subscribed::LimitReached => Err(register::limit_reached(caller)),
        Subscribed::Replayed(_) | Subscribed::KeyReused => Err(replayed_without_key()),
    }
}

/// Ends a hook of the caller. There is nothing to tell apart: afterwards there is none of that name.
pub(crate) async fn unsubscribe_hook<P: Ports>(
    hooks: Arc<Hooks<P>>,
    call: Call,
) -> Result<Answer, Refusal> {
    let request = UnsubscribeHook::read(&call.json()?).map_err(|faults| call.malformed(faults))?;
    if let Ok(id) = request.id.parse() {
        let (account, id) = (&call.caller()?.account_id, SubscriptionId::Hook(id));
        hooks.ports.unsubscribe(account, &id, call.now).await?;
    }
    Ok(Answer::json(200, &Unsubscribed { success: true }))
}

pub(crate) async fn list_hooks<P: Ports>(
    hooks: Arc<Hooks<P>>,
    call: Call,
) -> Result<Answer, Refusal> {
    let after = position::read(&hooks.pepper, &call, call.query().get("cursor"))?;
    let after = after.map(SubscriptionId::Hook);
    let (account, kind) = (&call.caller()?.account_id, SubscriptionKind::Hook);
    let page = hooks
        .ports
        .subscriptions(account, kind, after.as_ref(), HOOKS_AT_ONCE)
        .await?;
    report_unreadable(&page.unreadable);
    let last = page.next.as_ref().map(SubscriptionId::as_str);
    let list = HookList {
        subscriptions: page.subscriptions.iter().filter_map(Hook::of).collect(),
        next_cursor: position::write(&hooks.pepper, &call, last)?,
    };
    Ok(Answer::json(200, &list))
}

pub(crate) async fn list_hook_samples<P: Ports>(
    _hooks: Arc<Hooks<P>>,
    call: Call,
) -> Result<Answer, Refusal> {
    let trigger = sample_trigger(call.query());
    let trigger = trigger.map_err(|fault| Refusal::malformed(400, vec![fault]))?;
    Ok(Answer::json(200, &[trigger_sample(trigger)]))
}

fn included(caller: &Caller, trigger: Trigger) -> Result<(), Refusal> {
    if trigger.is_included_in(caller.plan) {
        return Ok(());
    }
    let detail = format!(
        "the {} plan does not include the trigger {trigger}; it takes the {} plan",
        caller.plan,
        trigger.plan()
    );
    Err(Refusal::plan_required(detail))
}

/// An answer to a key that was never sent.
fn replayed_without_key() -> Refusal {
    let fault = PortError::Unavailable {
        service: "subscriptions",
        reason: "a request without an idempotency key was taken for a repeated one".to_owned(),
    };
    fault.into()
}
